"""Rules on host code: queues, USM, buffers and what lives how long."""
