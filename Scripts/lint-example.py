"""Finds in Examples/Journal, which a workflow builds on a Mac, what no Mac compiles: an `@NSManaged` property of a type that Objective-C hasn't,
and modules that are for Linux. What is under `#if os(Linux)` isn't looked at. No Mac can be had where this package is made, so
this knows what is used there, and refuses what it doesn't know.
"""
import pathlib
import re
import sys

folder = pathlib.Path(__file__).resolve().parent.parent / "Examples/Journal"
NUMBERS = set("Bool Double Float Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64".split())
BRIDGED = set("String Date Data UUID URL Any AnyObject".split())
MODULES = {"CoreData", "Foundation", "Journal", "XCTest", "Testing"}


def seen_by_a_mac(text):
    """The lines with their numbers, without those under conditions that a Mac doesn't fulfil."""
    open_conditions, lines = [], []
    for number, line in enumerate(text.split("\n"), 1):
        directive = re.match(r"\s*#(if|elseif|else|endif)\b\s*(.*)", line)
        if not directive:
            if all(open_conditions):
                lines.append((number, line))
            continue
        word, condition = directive.groups()
        if word == "if":
            open_conditions.append(condition not in ("os(Linux)", "!canImport(ObjectiveC)"))
        elif word == "endif":
            open_conditions.pop()
        else:
            open_conditions[-1] = not open_conditions[-1]
    return lines


sources = {file: seen_by_a_mac(file.read_text()) for folder in (folder / "Sources", folder / "Tests") for file in sorted(folder.rglob("*.swift"))}
everything = "\n".join(line for lines in sources.values() for _, line in lines)
models = "\n".join(file.read_text() for file in folder.rglob("contents"))
classes = set(re.findall(r"\bclass (\w+)", everything)) | set(re.findall(r'representedClassName="\.?(\w+)"', models))
enums = set(re.findall(r"@objc(?:\(\w+\))?\s+(?:public |private |fileprivate )*enum (\w+)\s*:\s*U?Int\d*\b", everything))


def is_object(name):
    name = name.strip()
    if collection := re.fullmatch(r"(?:\[(.+)\]|Set<(.+)>)", name):
        parts = (collection[1] or collection[2]).split(":")
        return all(is_object(part) or part.strip() in NUMBERS for part in parts)
    return name in BRIDGED or name in classes or re.fullmatch(r"NS[A-Z]\w+", name) is not None


def with_attributes(lines):
    """The lines, each with the attributes that stand alone above it."""
    attributes = ""
    for number, line in lines:
        if re.fullmatch(r"\s*(?:@\w+(?:\([^)]*\))?\s*)+", line):
            attributes += line.strip() + " "
            continue
        yield number, attributes + line
        attributes = ""


failed = []
for file, lines in sources.items():
    for number, line in with_attributes(lines):
        place = f"{file.relative_to(folder.parent.parent)}:{number}"
        if module := re.match(r"\s*(?:@\w+(?:\(\w+\))? )*(?:public )?import (?:\w+ )?(\w+)", line):
            if module[1] not in MODULES:
                failed.append(f"{place}: the module {module[1]} isn't known to be there on a Mac")
        if managed := re.search(r"@NSManaged\b.*\bvar (\w+)\s*:\s*([^={]+?)\s*(?:\{.*)?$", line):
            name, kind = managed.groups()
            fits = is_object(kind[:-1]) if kind.endswith(("?", "!")) else is_object(kind) or kind in NUMBERS or kind.split(".")[-1] in enums
            if not fits:
                failed.append(f"{place}: a Mac's compiler refuses @NSManaged var {name}: {kind} (or this lint doesn't know the type)")
for line in failed:
    print(line, file=sys.stderr)
sys.exit(1 if failed else 0)
