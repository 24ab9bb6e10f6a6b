"""C++ as written: expressions, statements and declarations of one file, free of any parser's objects.

Lambdas hold statements and statements hold expressions, so all of them live on one floor.
"""
