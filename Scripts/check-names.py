"""Finds public names that nobody owns: neither Apple's, nor listed as this package's API, nor listed as being for generated code.

    check-names.py GRAPHS

GRAPHS has the symbol graphs of CoreData and of what it exports. Apple's names are those of Documentation/api.tsv. The others stand between
backticks in Documentation/PublicAPI.md or under "Additions" in Documentation/Differences.md; a type that stands there brings its members along.
"""
import csv
import json
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
names = {row["name"] for row in csv.DictReader((root / "Documentation/api.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE)}
apples = names | {name.split(".")[-1] for name in names}
pages = (root / "Documentation/PublicAPI.md").read_text() \
    + (root / "Documentation/Differences.md").read_text().split("\n## Additions\n")[1].split("\n## ")[0]
listed = {word for code in re.findall(r"`([^`]+)`", pages) for word in re.findall(r"\w+", code.split("(")[0])}
exported = set(re.findall(r"FoundationCompat\.(\w+)", (root / "Sources/CoreData/Exports.swift").read_text()))
# What classes override of NSObject, and what the compiler makes of enumerations and of conformances to the standard library's protocols.
ours = {"hash", "isEqual", "description", "copy", "encode", "supportsSecureCoding", "==", "Element", "Output", "Iterator",
        "makeAsyncIterator", "evaluate", "ArrayLiteralElement", "errorCode", "errorDomain", "errorUserInfo", "errorDescription"}

unknown = {}
for file in sorted(pathlib.Path(sys.argv[1]).rglob("*.symbols.json")):
    for symbol in json.loads(file.read_text())["symbols"]:
        path = symbol["pathComponents"]
        base = re.split(r"\(", path[-1])[0]
        if symbol["kind"]["identifier"] == "swift.extension" or "::SYNTHESIZED::" in symbol["identifier"]["precise"] \
                or any(part.startswith("_") for part in path) \
                or file.name == "FoundationCompat.symbols.json" and path[0] not in exported:
            continue
        # A member of a type that is listed, or an initialiser by its labels.
        if path[-1] in apples or base in listed | ours or any(part in listed and part not in apples for part in path[:-1]) \
                or base == "init" and path[-1] in pages:
            continue
        unknown[".".join(path)] = (symbol.get("location") or {}).get("uri", "").split("/Sources/")[-1]
for name, place in sorted(unknown.items()):
    print(f"{name} ({place}) is public, and neither Apple's nor in PublicAPI.md or Differences.md", file=sys.stderr)
print(f"check-names: {len(unknown)} names that nobody owns")
sys.exit(1 if unknown else 0)
