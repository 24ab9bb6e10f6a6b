"""What a device can hold: devices by name, each number with its source."""
