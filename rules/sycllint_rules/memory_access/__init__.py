"""Rules about the order and cost in which memory is accessed."""
