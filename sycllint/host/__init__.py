"""What code outside kernels does with queues, memory and events."""
