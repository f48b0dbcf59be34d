"""Finds public declarations without a doc comment that `swift format` passes: what is `open`, and overrides, which the site shows by
themselves.

    lint-comments.py
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
# The words before the name of what is declared.
HEAD = re.compile(r"^\s*((?:@\w+(?:\([^)]*\))?\s+|[a-z]+(?:\(\w+\))?\s+)+)(?:var|let|func|init|subscript|class|actor)\b")
ATTRIBUTE = re.compile(r"^\s*@\w+(\(.*\))?\s*$")
failed = 0
for file in sorted((root / "Sources").rglob("*.swift")):
    lines = file.read_text().split("\n")
    for number, line in enumerate(lines):
        head = HEAD.match(line)
        words = set(re.findall(r"\w+", head[1])) if head else set()
        if not ("open" in words or {"public", "override"} <= words):
            continue
        above = number - 1
        while ATTRIBUTE.match(lines[above]):
            above -= 1
        if not lines[above].strip().startswith("///"):
            failed += 1
            print(f"{file.relative_to(root)}:{number + 1}: error: a public declaration without a doc comment", file=sys.stderr)
sys.exit(1 if failed else 0)
