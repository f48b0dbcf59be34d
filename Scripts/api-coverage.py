"""Compares Documentation/api.tsv (names of Apple's public symbols) with symbol graphs: see Scripts/api-coverage."""
import collections
import csv
import json
import pathlib
import re
import sys

own_folder, base_folder, *flags = sys.argv[1:]
root = pathlib.Path(__file__).resolve().parent.parent
page = root / "Documentation/SupportedAPI.md"

TYPES = {"class", "struct", "enum", "protocol", "typealias"}
# What kinds in the list a kind in a graph stands for: Apple's enumerations may be structures here, and constants properties.
KINDS = {
    "class": TYPES, "struct": TYPES, "enum": TYPES, "protocol": TYPES, "typealias": TYPES,
    "init": {"init"}, "method": {"method"}, "type.method": {"method"}, "func": {"func", "method"},
    "subscript": {"method"}, "type.subscript": {"method"},
    "property": {"property", "constant"}, "type.property": {"property", "case", "constant"},
    "enum.case": {"case", "property"}, "var": {"constant", "property"},
}
# Shells in Foundation on Linux that can't be used.
SHELLS = {"NSExpression", "NSComparisonPredicate"}


class Names:
    def __init__(self):
        self.found = collections.defaultdict(collections.Counter)
        self.above = collections.defaultdict(set)

    def read(self, folder, is_base=False):
        paths, documents = {}, [json.loads(f.read_text()) for f in sorted(pathlib.Path(folder).rglob("*.symbols.json"))]
        for symbol in (s for d in documents for s in d["symbols"]):
            availability = symbol.get("availability", [])
            if any(a.get("isUnconditionallyUnavailable") or "not available in swift-corelibs" in a.get("message", "")
                   for a in availability):
                continue
            path = symbol["pathComponents"]
            if is_base and path[0] in SHELLS:
                continue
            name = ".".join(path)
            paths[symbol["identifier"]["precise"]] = name
            kind = symbol["kind"]["identifier"].removeprefix("swift.")
            owner = "type" if kind in TYPES else ".".join(path[:-1]) or "(global)"
            for one in KINDS.get(kind, ()):
                self.found[owner, name if kind in TYPES else path[-1]][one] += 1
            if kind == "typealias":
                text = "".join(f["spelling"] for f in symbol.get("declarationFragments", []))
                if target := re.search(r"=\s*(?:\w+\.)?([\w.]+)", text):
                    self.above[name].add(target[1])
        for relation in (r for d in documents for r in d["relationships"]):
            if relation["kind"] in ("inheritsFrom", "conformsTo"):
                lower = paths.get(relation["source"])
                upper = paths.get(relation["target"]) or relation.get("targetFallback", "").split(".", 1)[-1]
                if lower and upper:
                    self.above[lower].add(upper)

    def owners(self, name):
        seen, pending = [], [name]
        while pending:
            one = pending.pop(0)
            if one not in seen:
                seen.append(one)
                pending += sorted(self.above[one])
        return seen

    def count(self, row):
        name, owner = row["name"], row["owner"]
        if row["kind"] in TYPES:
            return int(any(self.found.get(("type", n)) for n in (name, f"{owner}.{name}")))
        if row["kind"] == "conformance":
            return int(name in self.owners(owner)[1:])
        return sum(self.found[o, name][row["kind"]] for o in self.owners(owner) if (o, name) in self.found)


names = Names()
names.read(own_folder)
names.read(base_folder, is_base=True)
extra = collections.Counter(
    tuple(line.split("\t")) for line in (root / "Documentation/api-extra.tsv").read_text().splitlines()
    if line and not line.startswith("#"))
rows = list(csv.DictReader((root / "Documentation/api.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE))
asked, total, there, missing = collections.Counter(), collections.Counter(), collections.Counter(), []
for row in rows:
    key = row["owner"], row["name"], row["kind"]
    asked[key] += 1
    is_there = max(names.count(row), extra[row["owner"], row["name"]]) >= asked[key]
    for area in (row["area"], ""):
        total[area] += 1
        there[area] += is_there
    if not is_there:
        missing.append(row)

lines = ["| area | names | here | |", "|---|---:|---:|---:|"]
for area in [a for a in total if a] + [""]:
    share = 100 * there[area] / total[area]
    lines.append(f"| {area or '**all**'} | {total[area]} | {there[area]} | {share:.0f} % |")
table = "\n".join(lines)
absent = collections.defaultdict(list)
for row in missing:
    absent[row["area"]].append(row["name"] if row["owner"] in ("(global)", row["name"]) else f"{row['owner']}.{row['name']}")
listing = "\n".join(f"- **{area}**: " + ", ".join(f"`{n}`" for n in sorted(set(found))) for area, found in absent.items())
print(table)
if "--missing" in flags:
    print(listing)
if "--write" in flags:
    text = page.read_text()
    for mark, content in (("table", table), ("missing", listing)):
        text = re.sub(rf"(<!-- {mark}: begin[^>]*-->\n).*?(<!-- {mark}: end -->)", lambda m: f"{m[1]}\n{content}\n\n{m[2]}", text, flags=re.S)
    page.write_text(text)
