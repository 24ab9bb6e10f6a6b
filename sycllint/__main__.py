"""``python -m sycllint``."""

from sycllint.cli import program

if __name__ == "__main__":
    program()
