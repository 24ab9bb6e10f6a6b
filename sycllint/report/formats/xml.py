"""XML documents in ASCII: they survive every terminal, pipe and code page, whatever the source holds."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sycllint.report.terminal.display import printable

__all__ = ["Element", "SubElement", "shown", "written"]

_NO_CHARACTERS = {0xFFFE: "\N{REPLACEMENT CHARACTER}", 0xFFFF: "\N{REPLACEMENT CHARACTER}"}
"""XML 1.0, production 2 (Char), leaves these out; controls and lone surrogates are gone with ``printable``."""


def shown(text: str) -> str:
    """``text`` as an XML document can hold it, on one line."""
    return printable(text).translate(_NO_CHARACTERS)


def written(root: Element) -> str:
    """The document with its declaration and a final newline."""
    indent(root)
    document: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii") + "\n"
