"""What is known of a number before the program runs."""
