"""Qualified names as text: their components, without template arguments."""

from functools import lru_cache


@lru_cache(maxsize=4096)
def components(text: str) -> tuple[str, ...]:
    """``n::A<T>::f`` as ``("n", "A", "f")``. A leading ``::`` gives an empty first component."""
    if "<" not in text:
        return tuple(text.split("::"))
    parts: list[str] = []
    depth = start = 0
    for position, letter in enumerate(text):
        if letter == "<":
            depth += 1
        elif letter == ">":
            depth -= depth > 0
        elif letter == ":" and not depth and text.startswith("::", position):
            parts.append(text[start:position])
            start = position + 2
    parts.append(text[start:])
    head = tuple(each.partition("<")[0].strip() for each in parts[:-1])
    last = parts[-1]
    return (*head, last if last.startswith("operator") else last.partition("<")[0])
