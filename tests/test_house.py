"""How the modules of sycllint stand to each other: imports in one direction, rooms of a size one can look over."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path


def modules(repository: Path) -> dict[str, Path]:
    """All modules of sycllint by their names."""
    found = {}
    for path in (repository / "sycllint").rglob("*.py"):
        name = ".".join(path.relative_to(repository).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules that one imports anywhere, also for the type checker alone."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def circles(graph: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """The modules that lead to each other, for each such group of more than one."""
    reached: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for each in graph[waiting.pop()] - seen:
                seen.add(each)
                waiting.append(each)
        reached[start] = seen
    reported: set[str] = set()
    for start in graph:
        group = {each for each in reached[start] if start in reached[each]}
        if len(group) > 1 and start not in reported:
            reported |= group
            yield group


def test_no_more_than_two_modules_import_each_other_in_a_circle(repository: Path) -> None:
    known = modules(repository)
    graph = {name: {each for each in imported(path, known) if each in known} - {name} for name, path in known.items()}
    assert [sorted(group) for group in circles(graph) if len(group) > 2] == []


def test_no_package_has_more_than_forty_modules(repository: Path) -> None:
    sizes = {
        folder.name: len(list(folder.glob("*.py")))
        for folder in (repository / "sycllint").rglob("*")
        if folder.is_dir()
    }
    assert {name: size for name, size in sizes.items() if size > 40} == {}


def test_each_public_class_has_a_name_of_its_own(repository: Path) -> None:
    homes: dict[str, list[str]] = {}
    for module, path in modules(repository).items():
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_the_architecture_names_modules_that_exist(repository: Path) -> None:
    text = (repository / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", text))
    roots = (repository, repository / "sycllint", repository / "sycllint" / "device_code")
    assert [each for each in sorted(named) if not any((root / each).is_file() for root in roots)] == []
