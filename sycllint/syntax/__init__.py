"""The fast tier: the only package that imports tree_sitter. Bytes in, our own C++ out."""
