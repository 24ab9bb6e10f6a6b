"""OpenMP target regions: the size of a team, the number of teams, the loops they share."""
