"""OpenMP target regions as launches: nests of loops, and the teams and threads that run them."""
