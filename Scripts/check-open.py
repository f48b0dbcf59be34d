"""Finds members of Apple's Objective-C classes, which any subclass may override there, that can't be overridden here.

    python3 Scripts/check-open.py GRAPHS

GRAPHS are the symbol graphs that Scripts/symbol-graphs writes. All methods and properties of classes in Documentation/api.tsv
count, but for those that Documentation/api-closed.tsv gives a reason for. Initialisers may be overridden wherever the class may.
"""
import collections
import csv
import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
levels, classes = collections.defaultdict(set), set()
for file in sorted(pathlib.Path(sys.argv[1]).rglob("*.symbols.json")):
    for symbol in json.loads(file.read_text())["symbols"]:
        path = symbol["pathComponents"]
        if symbol["kind"]["identifier"] == "swift.class":
            classes.add(".".join(path))
        levels[".".join(path[:-1]), path[-1]].add(symbol["accessLevel"])

excused = {}
for line in (root / "Documentation/api-closed.tsv").read_text().splitlines():
    if line and not line.startswith("#"):
        owner, name, reason = line.split("\t")
        excused[owner, name] = reason

rows = csv.DictReader((root / "Documentation/api.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE)
members = {(row["owner"], row["name"]) for row in rows if row["kind"] in ("method", "property") and row["owner"] in classes}
declared = {member for member in members if member in levels}
closed = {member for member in declared if "open" not in levels[member]}
for owner, name in sorted(closed - excused.keys()):
    print(f"check-open: {owner}.{name} can't be overridden; it is open on Apple's platforms, or needs a reason in api-closed.tsv", file=sys.stderr)
for owner, name in sorted(excused.keys() - closed):
    print(f"check-open: {owner}.{name} is in api-closed.tsv and can be overridden, or isn't there", file=sys.stderr)
print(f"check-open: {len(declared - closed)} of {len(declared)} methods and properties of classes can be overridden, {len(closed & excused.keys())} have a reason")
sys.exit(closed != excused.keys())
