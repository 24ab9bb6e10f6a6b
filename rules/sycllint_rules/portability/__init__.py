"""Names that SYCL gave up, and what the migration from CUDA left open."""
