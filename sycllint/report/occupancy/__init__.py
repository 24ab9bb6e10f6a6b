"""Occupancies as people and programs read them: shares of a core, the calculator's page, charts and timeline."""
