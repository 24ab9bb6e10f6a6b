"""The deep tier: what a C++ front end knows of a translation unit. The only package that imports libclang."""
