"""What CMake files say of a source, with the defaults of their options; what they leave open."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from sycllint.builds.cmake.commands import calculated
from sycllint.builds.cmake.expansion import generated
from sycllint.builds.cmake.script import CMakeArgument, CMakeCommand, CMakeIf, CMakeLoop, Quoting, Routine, statements
from sycllint.builds.cmake.state import UNKNOWN
from sycllint.builds.reading import build_settings
from sycllint.builds.settings import BuildSettings
from sycllint.source.files import shown


def settings(folder: Path, files: Mapping[str, str], file: str = "a.cpp") -> BuildSettings:
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    source = folder / file
    return build_settings(str(source.parent), str(source))


Said = dict[str, set[str | None]]


def said(found: BuildSettings) -> Said:
    """Each macro with the texts it may have: ``None`` where it may be undefined, ``"?"`` where it may be any."""
    every: Said = {name: {text} for name, text in found.defines.items()}
    for name, choice in found.choices.items():
        absent: set[str | None] = {None} if choice.undefined else set()
        every[name] = {*choice.texts, *absent, *({"?"} if choice.open else set())}
    return every


# A bar ends a line.
LISTS: dict[str, tuple[str, Said]] = {
    "a definition": ("add_compile_definitions(A=1 B)", {"A": {"1"}, "B": {"1"}}),
    "an old one": ("add_definitions(-DA=2 -DB -O2)", {"A": {"2"}, "B": {"1"}}),
    "an option": ("add_compile_options(-DA=3 -Wall)", {"A": {"3"}}),
    "flags": ('set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -O2 -DA=4")', {"A": {"4"}}),
    "flags with a part that is not known": ('set(CMAKE_CXX_FLAGS "$ENV{X} -DA=4")', {"A": {"4"}}),
    "a variable": ("set(N 64)|add_compile_definitions(A=${N})", {"A": {"64"}}),
    "a variable's variable": ("set(V N)|set(N 8)|add_compile_definitions(A=${${V}})", {"A": {"8"}}),
    "an unset variable": ("set(N 8)|unset(N)|add_compile_definitions(A=x${N})", {"A": {"x"}}),
    "the environment": ("add_compile_definitions(A=$ENV{N})", {"A": {"?"}}),
    "a list": (
        "set(L A=1 B=2)|list(APPEND L C=3)|add_compile_definitions(${L})",
        {"A": {"1"}, "B": {"2"}, "C": {"3"}},
    ),
    "an element": ("set(L 4 8)|list(GET L 1 N)|add_compile_definitions(A=${N})", {"A": {"8"}}),
    "a calculation": ('math(EXPR N "(7 + 9) / 3 * 2")|add_compile_definitions(A=${N})', {"A": {"10"}}),
    "a loop": ("foreach(n RANGE 1 2)|add_compile_definitions(A${n}=${n})|endforeach()", {"A1": {"1"}, "A2": {"2"}}),
    "a loop that ends": (
        "foreach(n 1 2 3)|if(n EQUAL 2)|break()|endif()|add_compile_definitions(A=${n})|endforeach()",
        {"A": {"1"}},
    ),
    "a loop over what is not known": (
        "set(N 1)|foreach(n ${CMAKE_X})|set(N 2)|endforeach()|add_compile_definitions(A=${N})",
        {"A": {"1", "2"}},
    ),
    "a while": (
        'set(N 1)|while(N LESS 9)|math(EXPR N "${N} * 2")|endwhile()|add_compile_definitions(A=${N})',
        {"A": {"1", "?"}},
    ),
    "an option, both ways": (
        'option(BIG "" OFF)|if(BIG)|set(N 512)|else()|set(N 256)|endif()|add_compile_definitions(A=${N})',
        {"A": {"512", "256"}},
    ),
    "an option that defines": ('option(BIG "" ON)|if(BIG)|add_compile_definitions(A=1)|endif()', {"A": {"1", None}}),
    "a number of the cache": ('set(N 256 CACHE STRING "")|add_compile_definitions(A=${N})', {"A": {"256"}}),
    "a word of the cache": ('set(N fast CACHE STRING "")|add_compile_definitions(A=${N})', {"A": {"fast", "?"}}),
    "one of several words": (
        'set(N a CACHE STRING "")|set_property(CACHE N PROPERTY STRINGS a b)|add_compile_definitions(A=${N})',
        {"A": {"a", "b"}},
    ),
    "a choice that is checked": (
        (
            'set(N a CACHE STRING "")|set_property(CACHE N PROPERTY STRINGS a b c)|'
            'if(N STREQUAL "c")|message(FATAL_ERROR "no")|endif()|add_compile_definitions(A=${N})'
        ),
        {"A": {"a", "b"}},
    ),
    "a choice in its branch": (
        (
            'set(N a CACHE STRING "")|set_property(CACHE N PROPERTY STRINGS a b)|'
            "if(N STREQUAL a)|add_compile_definitions(A=${N})|else()|add_compile_definitions(B=${N})|endif()"
        ),
        {"A": {"a", None}, "B": {"b", None}},
    ),
    "a variable comes before the cache": (
        'set(N 1)|set(N 2 CACHE STRING "")|add_compile_definitions(A=${N})',
        {"A": {"1"}},
    ),
    "the platform": (
        "if(WIN32)|add_compile_definitions(A=1)|else()|add_compile_definitions(A=2)|endif()",
        {"A": {"1", "2"}},
    ),
    "a branch that ends in an error": (
        'if(WIN32)|add_compile_definitions(A=1)|message(FATAL_ERROR "no")|else()|add_compile_definitions(A=2)|endif()',
        {"A": {"2"}},
    ),
    "a warning ends nothing": ("if(WIN32)|message(WARNING x)|endif()|add_compile_definitions(A=2)", {"A": {"2"}}),
    "a variable without a value is not set": (
        "if(MINE)|add_compile_definitions(A=1)|endif()|add_compile_definitions(B=1)",
        {"B": {"1"}},
    ),
    "what is found": ("find_package(Thing)|if(Thing_HAS)|add_compile_definitions(A=1)|endif()", {"A": {"1", None}}),
    "what a check finds": ("check_it(-x HAS_X)|if(HAS_X)|add_compile_definitions(A=1)|endif()", {"A": {"1", None}}),
    "numbers": ("set(N 8)|if(N GREATER 4 AND NOT N EQUAL 9)|add_compile_definitions(A=1)|endif()", {"A": {"1"}}),
    "versions": ("if(1.10.0 VERSION_GREATER 1.9)|add_compile_definitions(A=1)|endif()", {"A": {"1"}}),
    "parentheses": ("if((ON OR OFF) AND (OFF OR NOT OFF))|add_compile_definitions(A=1)|endif()", {"A": {"1"}}),
    "one known side is enough": ("if(WIN32 AND OFF)|add_compile_definitions(A=1)|endif()", {}),
    "in a list": ('set(L a b)|if("b" IN_LIST L)|add_compile_definitions(A=1)|endif()', {"A": {"1"}}),
    "a function": ("function(def n)|add_compile_definitions(${n}=${ARGN})|endfunction()|def(A 5)", {"A": {"5"}}),
    "a function's variables are its own": (
        "set(N 1)|function(f)|set(N 2)|endfunction()|f()|add_compile_definitions(A=${N})",
        {"A": {"1"}},
    ),
    "a function sets its caller's": (
        "set(N 1)|function(f out)|set(${out} 2 PARENT_SCOPE)|endfunction()|f(N)|add_compile_definitions(A=${N})",
        {"A": {"2"}},
    ),
    "a macro's variables are its caller's": (
        "macro(f)|set(N 2)|endmacro()|f()|add_compile_definitions(A=${N})",
        {"A": {"2"}},
    ),
    "a parameter that is set": (
        "function(f n)|set(n 2)|add_compile_definitions(A=${n} B=${ARGV0} C=${ARGC})|endfunction()|f(1 x)",
        {"A": {"2"}, "B": {"1"}, "C": {"2"}},
    ),
    "a parameter that is unset": (
        "set(n 3)|function(f n)|unset(n)|add_compile_definitions(A=x${n})|endfunction()|f(1)",
        {"A": {"x"}},
    ),
    "a parameter of a caller": (
        "function(g)|add_compile_definitions(A=${n})|endfunction()|function(f n)|g()|endfunction()|f(1)",
        {"A": {"1"}},
    ),
    "a macro's parameter is written in its text alone": (
        (
            "set(n 7)|function(g)|add_compile_definitions(B=${n})|endfunction()|"
            "macro(f n)|set(n 8)|add_compile_definitions(A=${n})|g()|endmacro()|f(1)"
        ),
        {"A": {"1"}, "B": {"8"}},
    ),
    "a name of which a part is a variable": (
        "set(K B)|set(N_B_X 5)|add_compile_definitions(A=${N_${K}_X} C=y${N_${M}})",
        {"A": {"5"}, "C": {"y"}},
    ),
    "a function that returns early": (
        "function(f n)|if(n EQUAL 1)|return()|endif()|add_compile_definitions(A${n})|endfunction()|f(1)|f(2)",
        {"A2": {"1"}},
    ),
    "a function that may return early": (
        (
            "function(f)|if(WIN32)|set(N 1 PARENT_SCOPE)|return()|endif()|set(N 2 PARENT_SCOPE)|endfunction()|f()|"
            "add_compile_definitions(A=${N})"
        ),
        {"A": {"1", "2"}},
    ),
    "named arguments": (
        (
            'function(f)|cmake_parse_arguments(X "OPT" "ONE" "MANY" ${ARGN})|'
            "add_compile_definitions(A=${X_ONE} B=${X_OPT} ${X_MANY})|endfunction()|f(OPT ONE 3 MANY C=1 D=2)"
        ),
        {"A": {"3"}, "B": {"TRUE"}, "C": {"1"}, "D": {"2"}},
    ),
    "a comment": ("# add_compile_definitions(A=1)|#[[ add_compile_definitions(A=1) ]]|", {}),
    "a quoted text": ('add_compile_definitions("A=\\"x y\\"")', {"A": {'"x y"'}}),
    "a generator expression": (
        "add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:A=1> $<$<COMPILE_LANGUAGE:C>:B=1>)",
        {"A": {"1"}},
    ),
    "one that is not decided": ("add_compile_definitions($<$<CONFIG:Debug>:A=1>)", {"A": {"1", None}}),
    "one of two": ("add_compile_definitions(A=$<IF:$<CONFIG:Debug>,1,2>)", {"A": {"1", "2"}}),
    "several in one": ("add_compile_definitions($<$<BOOL:ON>:A=1 B=2>)", {"A": {"1"}, "B": {"2"}}),
    "a target": ("add_executable(app a.cpp)|target_compile_definitions(app PRIVATE A=1)", {"A": {"1"}}),
    "of two targets": (
        (
            "add_executable(x a.cpp)|add_executable(y b.cpp)|"
            "target_compile_definitions(x PRIVATE A=1)|target_compile_definitions(y PRIVATE A=2)"
        ),
        {"A": {"1"}},
    ),
    "a source of two targets": (
        "foreach(n 1 2)|add_executable(x${n} a.cpp)|target_compile_definitions(x${n} PRIVATE A=${n})|endforeach()",
        {"A": {"1", "2"}},
    ),
    "a library that is linked": (
        (
            "add_executable(x a.cpp)|add_library(l b.cpp)|target_link_libraries(x PRIVATE l)|"
            "target_compile_definitions(l PUBLIC A=1 PRIVATE B=1 INTERFACE C=1)"
        ),
        {"A": {"1"}, "C": {"1"}},
    ),
    "properties": (
        'add_executable(x a.cpp)|set_target_properties(x PROPERTIES COMPILE_DEFINITIONS "A=1;B=2")',
        {"A": {"1"}, "B": {"2"}},
    ),
    "what does not parse says nothing": ("add_compile_definitions(A=1", {}),
}


@pytest.mark.parametrize("case", LISTS)
def test_macros_of(tmp_path: Path, case: str) -> None:
    text, expected = LISTS[case]
    lines = text.replace("|", "\n")
    found = settings(tmp_path, {"CMakeLists.txt": f"project(p)\n{lines}\n", "a.cpp": ""})
    assert said(found) == expected
    assert not found.known


def test_what_is_left_open_says_why(tmp_path: Path) -> None:
    text = 'option(BIG "" OFF)\nif(BIG AND NOT WIN32)\n  add_compile_definitions(A=1)\nendif()\n'
    found = settings(tmp_path, {"CMakeLists.txt": text, "a.cpp": ""})
    place = shown(str(tmp_path / "CMakeLists.txt"))
    assert found.choices["A"].reason == f"`if(BIG AND NOT WIN32)` at {place}:2 is not decided"


def test_a_folder_has_what_those_above_it_have(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "project(p)\nset(N 4)\nadd_compile_definitions(A=1)\nadd_subdirectory(src)\nset(N 5)\n",
        "src/CMakeLists.txt": "add_compile_definitions(B=${N})\ninclude_directories(inc)\n",
        "src/a.cpp": "",
    }
    found = settings(tmp_path, files, "src/a.cpp")
    assert said(found) == {"A": {"1"}, "B": {"4"}}
    assert found.folders == (shown(str(tmp_path / "src" / "inc")),)


def test_a_folder_that_is_added_in_some_builds_is_compiled_in_those(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": 'project(p)\noption(SYCL "" OFF)\nif(SYCL)\nadd_subdirectory(sycl)\nendif()\n',
        "sycl/CMakeLists.txt": "add_library(l a.cpp)\ntarget_compile_definitions(l PRIVATE A=1)\n",
        "sycl/a.cpp": "",
    }
    assert said(settings(tmp_path, files, "sycl/a.cpp")) == {"A": {"1"}}


def test_a_part_that_the_project_does_not_add_knows_nothing_of_its_variables(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "project(p)\n",
        "part/CMakeLists.txt": "set(N 1)\nif(FAST)\nset(N 2)\nendif()\nadd_compile_definitions(A=${N})\n",
        "part/a.cpp": "",
    }
    assert said(settings(tmp_path, files, "part/a.cpp")) == {"A": {"1", "2"}}


def test_files_of_the_project_are_included(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)\ninclude(Mine)\n"
        "include(cmake/more.cmake)\ninclude(CheckCXXCompilerFlag)\nadd_compile_definitions(A=${N} B=${M})\n",
        "cmake/Mine.cmake": "include_guard()\nset(N 3)\n",
        "cmake/more.cmake": "include(Mine)\nset(M 4)\nreturn()\nset(M 5)\n",
        "a.cpp": "",
    }
    assert said(settings(tmp_path, files)) == {"A": {"3"}, "B": {"4"}}


HEADER = """\
#cmakedefine SIZE @SIZE@
#cmakedefine01 FAST
#cmakedefine SLOW
#define WIDTH ${WIDTH} // of a row
#define PLAIN 1
#cmakedefine01 MISSING
"""


def test_a_header_that_cmake_writes(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": 'set(SIZE 64)\nset(WIDTH 8)\nset(SLOW OFF)\noption(FAST "" ON)\nconfigure_file(c.h.in c.h)\n',
        "c.h.in": HEADER,
        "a.cpp": "",
    }
    assert said(settings(tmp_path, files)) == {
        "SIZE": {"64", None},
        "FAST": {"1", "0", None},
        "WIDTH": {"8", None},
        "MISSING": {"0", "1", None},
    }


def test_a_folder_that_asks_for_too_much_is_left_out(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "project(p)\nadd_subdirectory(big)\nadd_compile_definitions(B=1)\n",
        "big/CMakeLists.txt": "add_compile_definitions(A=1)\n" + "set(X 1)\n" * 5000,
        "big/a.cpp": "",
        "b.cpp": "",
    }
    assert said(settings(tmp_path, files, "big/a.cpp")) == {}
    assert said(settings(tmp_path, files, "b.cpp")) == {"B": {"1"}}


def test_functions_that_call_themselves_end(tmp_path: Path) -> None:
    text = "function(f)\nf()\nendfunction()\nf()\ninclude(CMakeLists.txt)\nadd_compile_definitions(A=1)\n"
    assert said(settings(tmp_path, {"CMakeLists.txt": text, "a.cpp": ""})) == {"A": {"1"}}


def test_conditions_that_double_at_each_step_end(tmp_path: Path) -> None:
    text = "".join(f"if(CMAKE_{i})\nlist(APPEND L {i})\nendif()\n" for i in range(40))
    found = settings(tmp_path, {"CMakeLists.txt": text + 'add_compile_definitions("A=${L}")\n', "a.cpp": ""})
    assert said(found) == {"A": {"", "?"}}


SCRIPT = """\
if(A AND (B))
elseif(C)
else()
  set(x "y" [[z]] a;b)
endif()
foreach(i 1)
endforeach()
macro(M a)
endmacro()
"""


def test_statements_of_a_file() -> None:
    found = statements(SCRIPT)
    assert found is not None
    condition, loop, routine = found
    assert isinstance(condition, CMakeIf)
    assert [len(each.condition) for each in condition.branches] == [5, 1]
    assert condition.otherwise == (
        CMakeCommand(
            "set",
            (
                CMakeArgument("x"),
                CMakeArgument("y", Quoting.DOUBLE),
                CMakeArgument("z", Quoting.BRACKET),
                CMakeArgument("a;b"),
            ),
            4,
        ),
    )
    assert isinstance(loop, CMakeLoop)
    assert routine == Routine("m", ("a",), (), is_macro=True)
    assert statements("if(A)\n") is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1 + 2 * 3", 7),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("1 << 4 | 1", 17),
        ("1 / 0", None),
        ("a + 1", None),
        ("", None),
    ],
)
def test_math(text: str, number: int | None) -> None:
    assert calculated(text) == number


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a$<1:b>c", {"abc"}),
        ("$<BUILD_INTERFACE:inc>", {"inc"}),
        ("$<INSTALL_INTERFACE:inc>", {""}),
        ("$<$<NOT:$<BOOL:OFF>>:x>", {"x"}),
        ("$<$<AND:$<BOOL:1>,$<CONFIG:Debug>>:x>", {"", "x"}),
        ("$<TARGET_FILE:x>", {UNKNOWN}),
        ("$<", {UNKNOWN}),
    ],
)
def test_generator_expressions(text: str, made: set[str]) -> None:
    assert set(generated(text)) == made
