"""Text and where things stand in it; nothing about C++."""
