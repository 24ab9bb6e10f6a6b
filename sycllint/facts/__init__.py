"""What is written, file by file: frozen, picklable, independent of other files and of the machine."""
