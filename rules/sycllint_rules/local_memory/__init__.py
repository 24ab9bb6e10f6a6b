"""Rules about local memory: what a work-group asks for and what a core has."""
