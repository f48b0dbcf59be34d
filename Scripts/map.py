#!/usr/bin/env python3
"""Draw how the rooms (folders) of the targets use each other, from the sources, or check the arrows between targets.

    Scripts/map.py            the drawing, as Mermaid text
    Scripts/map.py --overview the rooms of the object graph and the storeys, as Documentation/Architecture.md shows them: rooms that
                              use each other in a circle are one box, and an arrow that follows from others is left out
    Scripts/map.py --write    puts the overview into Documentation/Architecture.md
    Scripts/map.py --cycles   which rooms of a target form a cycle
    Scripts/map.py --hidden   the members by which rooms use each other, for a look at what the drawing counts
    Scripts/map.py --check    fails where a file imports a target that isn't below its own, where a whole module is exported that
                              may not be (FoundationCompat's names would be ambiguous with Foundation's), where a file is
                              longer than it may be or a folder has too many, where more rooms of a target form a cycle than
                              are one thing, where text becomes SQL beside the fragments, where the names of a store's files, or
                              of Apple's tables, stand outside of the one type that knows them, and where the drawing in
                              Documentation/Architecture.md isn't this overview

A room uses another one where one of its files names a type that a file of the other declares, or calls a member or a free function
whose name only a file of the other declares. Members that share their name with others aren't seen, nor are nested types.
"""

import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sources = root / "Sources"

# From below to above. A target imports only what comes before it.
storeys = [
    "FoundationCompat", "ManagedObjectModel", "CoreDataRows", "CoreDataSQL", "CoreDataSQLite", "CoreData",
    "CoreDataStoreTesting",
]
# Beside them: they know the model, and neither rows nor objects.
beside = {
    "ModelCompiler": ["FoundationCompat", "ManagedObjectModel"],
    "Porting": ["ModelCompiler"],
    "CoreDataPostgreSQL": storeys[:4] + ["CoreData"],
    "ModelCompilerTool": ["ModelCompiler"],
    "UnifiedLogging": [],
    # The tool is a client of the object graph, with texts and names of what is below it.
    "CoreDataCLI": ["FoundationCompat", "ManagedObjectModel", "CoreDataRows", "CoreData", "ModelCompiler", "Porting", "CoreDataPostgreSQL"],
}
# Engines, each with the one file that knows the object graph above them.
adapters = {"CoreDataPostgreSQL": "NSPostgreSQLStoreType.swift"}
longest_file = 400
most_files = 25
# Longer than that today; nothing else may become so.
longer_files = {
    "Sources/CoreData/Objects/NSManagedObject.swift": 445,
    "Sources/CoreData/Context/NSManagedObjectContext.swift": 426,
    "Tests/PortingTests/IdiomPortingTests.swift": 420,
    "Tests/ModelCompilerTests/RoundTripGenerator.swift": 460,
}
# The modules that a file exports as a whole.
exported_modules = {"Sources/CoreData/Exports.swift": {"CoreDataRows", "ManagedObjectModel"}}
# The one type that knows how SQLite and Core Data name the files of a store.
store_files = "Sources/CoreDataSQLite/File/SQLiteStoreFiles.swift"
store_file_names = re.compile(r'"[^"\n]*(?:-wal|-shm|-journal|_SUPPORT|_EXTERNAL_DATA)"')
# The one type that knows the names of Apple's tables and columns.
format_names_file = "Sources/CoreDataSQLite/Schema/SQLiteName.swift"
format_names = re.compile(
    r"\b(?:Z_(?:PK|ENT|OPT|PRIMARYKEY|METADATA|MODELCACHE|NAME|SUPER|MAX|VERSION|UUID|PLIST|CONTENT)|Z[A-Z]{4,}"
    r"|ACHANGE|ATRANSACTION(?:STRING)?)\b")

# By these a room reaches one that stands above it: the coordinator has to know the stores that come with the package, and Apple's API
# has a store name the class that migrates it. They are drawn as dashed arrows.
hooks = {
    ("CoreData/Coordinator", "CoreData/Stores"): {"builtIn"},
    ("CoreData/Coordinator", "CoreData/Migration"): {"defaultMigrationManagerClass"},
    ("CoreData/Coordinator", "CoreData/Opening"): {"openStore"},
}
# Members of which others, or variables, have the names as well.
shared_names = {
    "compact", "contains", "examine", "firstIndex", "forEach", "increment", "isDouble", "isTransient", "levels", "setAttributes", "trimmed"}

# The rooms of a target that are one thing: a cycle of so many rooms at most.
largest_cycle = {
    "FoundationCompat": 14,  # predicates and expressions: parsed, printed, archived, evaluated, by keys
    "ManagedObjectModel": 7,  # the descriptions, their hashes and their coding
    "CoreDataRows": 4,  # layouts, pages and values
    "CoreDataSQL": 4,  # predicates and requests that have others inside
    "CoreDataSQLite": 0,
    "CoreData": 3,  # objects, contexts, coordinators
}

# Statements of the engines are fragments (CoreDataSQL/Fragments), so that the compiler keeps text out of them; what is left are the
# ways around: functions of GRDB, SQLite and libpq that take text, and the parts of the vocabulary that take text as it is. A fragment
# is made of a literal without interpolations, which would be text again.
text_as_it_is = (
    r"\(raw:|\bSQLFragment\((?!\s*\"(?:[^\"\\\n]|\\[^(\n])*\"\s*[,)])|\bSQLFragment\.init\b|\.(?:definition|word)\(")
around_fragments = {
    "CoreDataSQLite": re.compile(
        r"\b(?:fetch\w+|execute|makeStatements?|cachedStatement|allStatements|SQLRequest|SQL)\(\s*[^()\"]*\b(?:sql|literal):"
        r"|sqlite3_(?:prepare|exec)\w*\(|" + text_as_it_is),
    # With what only SQLite reads as it is meant: names without quotes, parameters without numbers.
    "CoreDataPostgreSQL": re.compile(
        r"\bPQ(?:exec|prepare|send(?:Query|Prepare))\w*\("
        r"|(?:\bSQLFragment|(?<![\w)\]?!]))\.(?:name|column|literal|declared|function|parameters?)\(|" + text_as_it_is),
}
text_of_statements = {
    "Sources/CoreDataSQLite/Statements/Database+Fragments.swift": "it runs the text of fragments",
    "Sources/CoreDataSQLite/Statements/SQLiteStatement.swift": "it prepares the text of fragments",
    "Sources/CoreDataPostgreSQL/Connection/PostgreSQLConnection.swift": "it hands the text of fragments to libpq",
    "Sources/CoreDataSQLite/Examination/SQLiteExamination.swift": "statements that a fresh store's schema has",
    "Sources/CoreDataSQLite/Migration/SQLiteDeferredMigration.swift": "statements that a fresh store's schema has",
    "Sources/CoreDataSQLite/Migration/SQLiteMigrationWork.swift": "statements that a fresh store's schema has",
    "Sources/CoreDataSQLite/Schema/SQLiteDerivationTriggers.swift": "a part of a trigger, whose text was made of fragments",
    "Sources/CoreDataSQLite/File/Opening/SQLiteConnection+Pragmas.swift": "pragmas take no parameters; each byte is looked at before, and the mode is one of six",
    "Sources/CoreDataSQLite/Schema/SQLiteTable+Creation.swift": "the types of columns are an enumeration",
    "Sources/CoreDataSQLite/Migration/SQLiteTableMigration.swift": "the types of columns are an enumeration",
    "Sources/CoreDataSQLite/Migration/SQLiteAttributeMigration.swift": "the digits of a decimal number",
}

import_line = re.compile(
    r"^\s*((?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*)import "
    r"(class |struct |enum |protocol |func |var |let |typealias )?(\w+)", re.M)
declaration = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|open|final|indirect|nonisolated)\s+)*"
    r"(?:class|struct|enum|protocol|actor|typealias)\s+([A-Z]\w*)", re.M)


def code(text):
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


member = re.compile(
    r"^(?: {4})?(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:public|package|internal|open|final|static|class|mutating|nonisolated|override|consuming|borrowing)\s+)*"
    r"(?:func|var|let)\s+([a-z]\w{5,})", re.M)
local = re.compile(r"\b(?:func|var|let|case|for|in)\s+\(?([a-z]\w{5,})|\b([a-z]\w{5,})\s*:")


def imports(text):
    """The attributes, the kind of what is imported ("" for all) and the module of each import."""
    return import_line.findall(re.sub(r";[ \t]*(?=(?:@|\w+\s+)*import\b)", "\n", text))


def room(path):
    parts = path.relative_to(sources).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def files(targets=storeys):
    return {path: code(path.read_text()) for target in targets for path in sorted((sources / target).rglob("*.swift"))}


def arrows(targets=storeys):
    """The types and members that each room uses of each other one."""
    texts = files(targets)
    owners = {}
    for path, text in texts.items():
        for name in declaration.findall(text):
            owners.setdefault(name, path)
    used = collections.defaultdict(set)
    members = unique_members(texts)
    for path, text in texts.items():
        for name in set(re.findall(r"\b[A-Z]\w*", text)):
            owner = owners.get(name)
            if owner and room(owner) != room(path):
                used[room(path), room(owner)].add(name)
        for name in set(re.findall(r"\b([a-z]\w{5,})\b(?=\(| \{)|\.([a-z]\w{5,})\b", text)):
            name = name[0] or name[1]
            owner = members.get(name)
            ends = owner and (room(path), room(owner))
            if owner and ends[0] != ends[1] and ends[0].split("/")[0] == ends[1].split("/")[0] and name not in hooks.get(ends, ()):
                used[ends].add(name)
    return used


def unique_members(texts):
    """Members and free functions by their names, where only one file declares anything of that name."""
    declared = collections.defaultdict(set)
    anything = collections.Counter()
    for path, text in texts.items():
        for name in member.findall(text):
            declared[name].add(path)
        anything.update({name for pair in local.findall(text) for name in pair if name})
    return {
        name: next(iter(paths)) for name, paths in declared.items()
        if len(paths) == 1 and anything[name] <= 1 and name not in shared_names}


def cycles(edges):
    """The strongly connected components with more than one room, by Tarjan's algorithm."""
    graph = collections.defaultdict(list)
    for source, target in edges:
        graph[source].append(target)
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for successor in graph[node]:
            if successor not in index:
                visit(successor)
                low[node] = min(low[node], low[successor])
            elif successor in stack:
                low[node] = min(low[node], index[successor])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in list(graph):
        if node not in index:
            visit(node)
    return found


def all_cycles():
    """Those of the storeys, and of each target beside them."""
    return cycles(arrows()) + [component for target in beside for component in cycles(arrows([target]))]


def draw():
    edges = arrows()
    rooms = sorted({name for edge in edges for name in edge})
    print("graph TD")
    for target in reversed(storeys):
        print(f"  subgraph {target}")
        for name in rooms:
            if name.split("/")[0] == target:
                print(f"    {name.replace('/', '_')}[{name.split('/')[-1]}]")
        print("  end")
    for (source, destination), names in sorted(edges.items()):
        # Between targets one arrow is enough to read.
        if source.split("/")[0] == destination.split("/")[0]:
            print(f"  {source.replace('/', '_')} --> {destination.replace('/', '_')}")
    between = {(a.split("/")[0], b.split("/")[0]) for a, b in edges}
    for source, destination in sorted(between):
        if source != destination:
            print(f"  {source} ==> {destination}")


def reduced(graph):
    """The arrows of a graph without cycles that don't follow from others."""
    def reachable(node):
        seen, pending = set(), list(graph[node])
        while pending:
            next_node = pending.pop()
            if next_node not in seen:
                seen.add(next_node)
                pending += graph[next_node]
        return seen

    return [(node, to) for node in sorted(graph) for to in sorted(graph[node])
            if not any(to in reachable(other) for other in graph[node] if other != to)]


def overview(target="CoreData"):
    edges = arrows()
    box = {}
    for component in cycles(edges):
        for name in component:
            box[name] = " · ".join(part.split("/")[1] for part in component)
    graph = collections.defaultdict(set)
    for source, destination in edges:
        if source.count("/") and destination.count("/") and source.split("/")[0] == destination.split("/")[0] == target:
            ends = [box.get(name, name.split("/")[1]) for name in (source, destination)]
            if ends[0] != ends[1]:
                graph[ends[0]].add(ends[1])
                graph[ends[1]] |= set()
    storey = collections.defaultdict(set)
    for source, destination in edges:
        ends = source.split("/")[0], destination.split("/")[0]
        if ends[0] != ends[1]:
            storey[ends[0]].add(ends[1])
            storey[ends[1]] |= set()
    number = {name: f"r{place}" for place, name in enumerate(sorted(graph))}
    lines = ["```mermaid", "graph TD", f"  subgraph {target}"]
    lines += [f"    {number[name]}[{name}]" for name in sorted(graph)]
    lines += [f"    {number[source]} --> {number[destination]}" for source, destination in reduced(graph)]
    for source, destination in sorted(hooks):
        ends = [number[box.get(name, name.split("/")[1])] for name in (source, destination)]
        lines.append(f"    {ends[0]} -.->|{', '.join(sorted(hooks[source, destination]))}| {ends[1]}")
    lines += ["  end"] + [f"  {source} ==> {destination}" for source, destination in reduced(storey)] + ["```"]
    return "\n".join(lines) + "\n"


architecture = root / "Documentation/Architecture.md"
drawing = re.compile(r"```mermaid\n.*?```\n", re.S)


def write():
    architecture.write_text(drawing.sub(lambda _: overview(), architecture.read_text(), count=1))


def check():
    wrong = []
    if overview() not in architecture.read_text():
        wrong.append("Documentation/Architecture.md: its drawing isn't what the sources are; run Scripts/map.py --write")
    allowed = {target: storeys[:place] for place, target in enumerate(storeys)} | beside
    known = set(storeys) | set(beside)
    for target, below in allowed.items():
        for path in sorted((sources / target).rglob("*.swift")):
            place = path.relative_to(root)
            text = path.read_text()
            found = imports(text)
            modules = {module for _, _, module in found}
            for module in sorted(modules & known - set(below) - {target}):
                wrong.append(f"{place}: imports {module}, which isn't below {target}")
            if target in adapters and path.name != adapters[target] and "CoreData" in modules:
                wrong.append(f"{place}: imports CoreData, which only {adapters[target]} may")
            for attributes, kind, module in found:
                if "@_exported" in attributes and not kind and module in known - exported_modules.get(str(place), set()):
                    wrong.append(f"{place}: exports all of {module}; export the names that are wanted")
            if str(place) != store_files and store_file_names.search(re.sub(r"//[^\n]*", "", text)):
                wrong.append(f"{place}: names a file of a store, which {store_files} does for all")
            name = format_names.search(re.sub(r"//[^\n]*", "", text))
            if str(place) != format_names_file and name:
                wrong.append(f"{place}: has {name[0]}, a name of Apple's format, which {format_names_file} has for all")
    for path in sorted([*sources.rglob("*.swift"), *(root / "Tests").rglob("*.swift")]):
        place = str(path.relative_to(root))
        lines = path.read_text().count("\n")
        if lines > longer_files.get(place, longest_file):
            wrong.append(f"{place}: has {lines} lines; {longer_files.get(place, longest_file)} are allowed")
    for folder in sorted({path.parent for path in sources.rglob("*.swift")}):
        count = len(list(folder.glob("*.swift")))
        if count > most_files:
            wrong.append(f"{folder.relative_to(root)}: has {count} files; {most_files} are allowed")
    unused = set(text_of_statements)
    for target, around in around_fragments.items():
        for path in sorted((sources / target).rglob("*.swift")):
            place = str(path.relative_to(root))
            text = re.sub(r"//[^\n]*", "", path.read_text())
            found = around.search(text)
            if found and place not in text_of_statements:
                line = text.count("\n", 0, found.start()) + 1
                wrong.append(f"{place}:{line}: text becomes SQL beside the fragments, which quote names and bind values")
            if found:
                unused.discard(place)
    for place in sorted(unused):
        wrong.append(f"Scripts/map.py: {place} needs no exception for its SQL")
    members = unique_members(files())
    for names in hooks.values():
        for name in sorted(names - set(members)):
            wrong.append(f"Scripts/map.py: no member of the sources alone is called {name}")
    edges = arrows()
    order = {target: place for place, target in enumerate(storeys)}
    for (source, destination), names in sorted(edges.items()):
        if order[source.split("/")[0]] < order[destination.split("/")[0]]:
            wrong.append(f"{source}: names {', '.join(sorted(names))} of {destination}, which is above it")
    for component in all_cycles():
        target = component[0].split("/")[0]
        if len(component) > largest_cycle.get(target, 0):
            wrong.append(f"{target}: {len(component)} rooms use each other in a cycle: {', '.join(component)}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if "--check" in sys.argv:
    sys.exit(check())
if "--hidden" in sys.argv:
    for (source, destination), names in sorted(arrows().items()):
        names = sorted(name for name in names if name[0].islower())
        if names:
            print(f"{source} -> {destination}: {' '.join(names)}")
    sys.exit(0)
if "--overview" in sys.argv:
    print(overview(), end="")
elif "--write" in sys.argv:
    write()
elif "--cycles" in sys.argv:
    for component in all_cycles():
        print(f"{len(component)}: {' '.join(component)}")
else:
    draw()
