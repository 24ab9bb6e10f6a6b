/* ISO C 7.9: the names are keywords of C++. */
