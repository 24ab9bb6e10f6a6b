"""Rules on what SYCL leaves out of C++ in device code."""
