"""What names and expressions of host code stand for: queues, events, memory, buffers, and the scope that knows them."""
