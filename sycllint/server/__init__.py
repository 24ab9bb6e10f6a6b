"""What an editor shows: a core of plain values (documents in, snapshots out), and what the protocol makes of them.

All but ``protocol`` and ``features`` are functions of a ``Snapshot``, so they are tested without a client.
"""
