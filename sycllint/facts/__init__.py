"""Facts of one file: declarations, calls, macros; frozen, picklable, independent of other files and the machine."""
