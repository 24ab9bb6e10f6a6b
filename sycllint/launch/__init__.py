"""Kernel launches, in the words of SYCL 2020."""
