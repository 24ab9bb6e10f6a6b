"""What is written at a submission: the call and its callable, shape, attributes, properties, local accessors."""
