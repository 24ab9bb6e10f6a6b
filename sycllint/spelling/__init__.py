"""How things are spelt: names that SYCL has given up, markers that tools leave behind."""
