"""What an editor shows: a core of plain values (documents in, problems, actions and hovers out), and its protocol.

Only ``protocol`` knows pygls. Everything else here is a function of a ``Snapshot``, so it is tested without a client.
"""
