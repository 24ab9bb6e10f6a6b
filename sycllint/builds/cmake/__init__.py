"""CMake's language, evaluated with the defaults of its options: what its commands say of macros and folders.

A condition that the files do not decide is taken both ways, and what differs is a ``Choice``. Nothing is run.
"""
