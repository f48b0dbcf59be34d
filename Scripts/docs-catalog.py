"""Makes DocC's input: a catalogue of the pages, and one symbol graph for all that a client sees as the module CoreData.

    docs-catalog.py PAGES CATALOGUE GRAPHS PRODUCTS GRAPH ADDRESS

GRAPHS has the symbols of CoreData and of what it exports, PRODUCTS those of the modules that stand beside it.

The pages have plain relative links. One to another page becomes DocC's (`doc:Page#Heading`), one to anything else in the
repository an address there.
"""
import json
import pathlib
import re
import shutil
import sys

pages, catalogue, graphs, products, graph, address = sys.argv[1:]
pages, catalogue = pathlib.Path(pages).resolve(), pathlib.Path(catalogue)
repository = pages.parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def slug(heading):
    """The anchor that the repository's host gives a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).strip().lower()).replace(" ", "-")


def anchor(heading):
    """The anchor that DocC gives it."""
    return re.sub(r"\s+", "-", re.sub(r"[`'\"“”‘’*]", "", heading).strip())


def headings(text):
    outside = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return {slug(h): anchor(h) for h in re.findall(r"^#{2,6} +(.+)$", outside, flags=re.M)}


texts = {page: page.read_text() for page in sorted(pages.rglob("*.md"))}
names = [page.stem for page in texts]
assert len(names) == len(set(names)), "two pages of one name"


def converted(page, text):
    topics = False
    inside = False
    lines = []
    for line in text.split("\n"):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            if line.startswith("## "):
                topics = line == "## Topics"
            line = LINK.sub(lambda m: link(page, topics, *m.groups()), line)
        lines.append(line)
    return "\n".join(lines)


def link(page, topics, image, text, target):
    if re.match(r"[a-z]+:", target):
        return f"{image}[{text}]({target})"
    path, _, fragment = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if image:
        return f"![{text}]({file.name})"
    if file in texts:
        part = ""
        if fragment:
            part = "#" + headings(texts[file])[fragment]
        name = "CoreData" if file.stem == "CoreData" else file.stem
        if topics:
            return f"<doc:{name}>"
        return f"[{text}](doc:{name}{part})"
    inside = file.relative_to(repository)
    kind = "tree" if file.is_dir() else "blob"
    return f"[{text}]({address}/{kind}/main/{inside})"


catalogue.mkdir(parents=True)
for page, text in texts.items():
    # DocC shows the source of a drawing; the repository's host draws it.
    drawing = f"The drawing is on [the repository's page]({address}/blob/main/{page.relative_to(repository)}).\n"
    made = converted(page, re.sub(r"^```mermaid\n.*?^```\n", drawing, text, flags=re.M | re.S))
    if page.stem == "Errors":
        # The table leads to them; in DocC's contents they would otherwise stand beside all other pages.
        codes = sorted((n for n in names if n.startswith("Error-")), key=lambda n: int(n[6:]))
        made += "\n## Topics\n\n### A page for each code\n\n" + "".join(f"- <doc:{n}>\n" for n in codes)
    (catalogue / page.name).write_text(made)
# What stands beside CoreData: the first words of each module's page.
for module, abstract in {
    "CoreDataPostgreSQL": "A store in a PostgreSQL database: <doc:PostgreSQL>.",
    "CoreDataStoreTesting": "Tests that a store of your own is put through: <doc:OwnStores>.",
    "UnifiedLogging": "What Apple's modules `os` and `OSLog` have, over swift-log: <doc:Porting>.",
}.items():
    (catalogue / f"{module}-module.md").write_text(f"# ``{module}``\n\n{abstract}\n")
for picture in pages.rglob("*.svg"):
    shutil.copy(picture, catalogue / picture.name)

# Of FoundationCompat only what CoreData exports by name, and what is added to types that are others'.
exports = (repository / "Sources/CoreData/Exports.swift").read_text()
exported = set(re.findall(r"FoundationCompat\.(\w+)", exports))
# What is public for generated code alone has no page.
contract = (pages / "PublicAPI.md").read_text().split("## Not API, although public")[1].split("\n## ")[0]
hidden = set(re.findall(r"`([A-Za-z]\w+)`", contract)) - {"CoreData"}


def complete(symbols, relationships):
    """Writes into the declarations of classes what the graph has beside them: that one is open, and its superclass."""
    superclass = {r["source"]: r for r in relationships if r["kind"] == "inheritsFrom"}
    titles = {s["identifier"]["precise"]: s["names"]["title"] for s in symbols}
    for symbol in symbols:
        parts = symbol.get("declarationFragments")
        if not parts:
            continue
        words = [part["spelling"] for part in parts]
        if symbol["accessLevel"] == "open" and "open" not in words:
            # Behind the attributes.
            first = next(i for i, part in enumerate(parts) if part["kind"] == "keyword")
            parts[first:first] = [{"kind": "keyword", "spelling": "open"}, {"kind": "text", "spelling": " "}]
        above = superclass.get(symbol["identifier"]["precise"])
        if above and symbol["kind"]["identifier"] == "swift.class":
            name = titles.get(above["target"]) or above.get("targetFallback", "").split(".")[-1]
            if name:
                where = words.index("where") - 1 if "where" in words else len(parts)
                where += len(parts) - len(words) if where < len(parts) else 0
                parts[where:where] = [
                    {"kind": "text", "spelling": ": "},
                    {"kind": "typeIdentifier", "spelling": name, "preciseIdentifier": above["target"]}]


def shorten(symbols):
    for symbol in symbols:
        location = symbol.get("location")
        if location:
            location["uri"] = location["uri"].split("/Sources/")[-1]


result, known = None, set()
relationships = []
left_out = set()
for file in sorted(pathlib.Path(graphs).rglob("*.symbols.json")):
    module = file.parent.name
    content = json.loads(file.read_text())
    own = "@" not in file.name
    if not own and not file.name.endswith(("@ManagedObjectModel.symbols.json", "@CoreDataRows.symbols.json")):
        # What is added to others' types is shown by DocC as extended modules.
        content["module"]["name"] = "CoreData"
        if module == "CoreData":
            pathlib.Path(graph, file.name).write_text(json.dumps(content))
        continue
    symbols = content["symbols"]
    if module == "FoundationCompat":
        symbols = [s for s in symbols if s["pathComponents"][0] in exported]
    left_out |= {s["identifier"]["precise"] for s in symbols if s["pathComponents"][-1] in hidden}
    # What begins with an underscore is for generated code.
    symbols = [s for s in symbols if not any(c.startswith("_") or c in hidden for c in s["pathComponents"])
               and s["kind"]["identifier"] != "swift.extension"]
    symbols = [s for s in symbols if s["identifier"]["precise"] not in known]
    known |= {s["identifier"]["precise"] for s in symbols}
    shorten(symbols)
    relationships += content["relationships"]
    if result is None or (module == "CoreData" and own):
        header = content
    result = (result or []) + symbols
header = {k: v for k, v in header.items() if k not in ("symbols", "relationships")}
header["module"]["name"] = "CoreData"
# A class below one that is left out inherits from what is above that.
above = {r["source"]: r for r in relationships if r["kind"] == "inheritsFrom"}
for relationship in above.values():
    while relationship["target"] in left_out and relationship["target"] in above:
        higher = above[relationship["target"]]
        relationship["target"] = higher["target"]
        relationship.update({"targetFallback": higher["targetFallback"]} if "targetFallback" in higher else {})
seen, kept = set(), []
for relationship in relationships:
    key = (relationship["kind"], relationship["source"], relationship["target"])
    if relationship["source"] in known and key not in seen:
        seen.add(key)
        kept.append(relationship)
header["symbols"], header["relationships"] = result, kept
complete(result, kept)
pathlib.Path(graph, "CoreData.symbols.json").write_text(json.dumps(header))
for file in sorted(pathlib.Path(products).rglob("*.symbols.json")):
    content = json.loads(file.read_text())
    if "@" not in file.name:
        shorten(content["symbols"])
        complete(content["symbols"], content["relationships"])
        result += content["symbols"]
        pathlib.Path(graph, file.name).write_text(json.dumps(content))
# What the compiler makes has no place to write one at.
undocumented = [s for s in result if "docComment" not in s and "location" in s and "::SYNTHESIZED::" not in s["identifier"]["precise"]]
for symbol in undocumented:
    print(f"docs: {symbol['location']['uri']}:{symbol['location']['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])} "
          "has no comment", file=sys.stderr)
print(f"docs: {len(texts)} pages, {len(result)} symbols")
sys.exit(1 if undocumented else 0)
