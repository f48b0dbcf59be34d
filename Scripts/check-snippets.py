"""Compiles the Swift that the pages show, each block for itself, against the built module CoreData.

    check-snippets.py [COMPILER-ARGUMENTS...]

A block that is marked as a sketch or has an ellipsis is left out, so are parts of manifests, and what `Scripts/first-app` builds. What blocks take for granted stands in
PRELUDE.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PRELUDE = """
import CoreData
import Foundation
let container = NSPersistentContainer(name: "Library")
let coordinator = container.persistentStoreCoordinator
let context = container.newBackgroundContext()
let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Library.sqlite"))
let url = URL(fileURLWithPath: "Library.sqlite")
class Label { var text: String? }
let label = Label()
public class Person: NSManagedObject {}
class NotebookStore: NSAtomicStore { static let storeType = "Notebook" }
"""
root = pathlib.Path(__file__).resolve().parent.parent
failed = checked = left = 0
for page in [root / "README.md", *sorted((root / "Documentation").glob("*.md"))]:
    text = page.read_text()
    for block in re.finditer(r"(<!-- [^\n]*-->\n)?^```swift\n(.*?)^```", text, flags=re.M | re.S):
        mark, code = block.groups()
        if (mark and "file:" in mark) or "…" in code or "import Testing" in code or "PackageDescription" in code \
                or re.match(r"\.target|dependencies:", code) or "<!-- sketch -->" in (mark or ""):
            left += 1
            continue
        checked += 1
        with tempfile.TemporaryDirectory() as folder:
            prelude, main = pathlib.Path(folder, "prelude.swift"), pathlib.Path(folder, "main.swift")
            # A block that declares what the prelude has is right, too.
            declared = set(re.findall(r"^(?:final )?(?:let|class|enum|struct) (\w+)", code, flags=re.M))
            prelude.write_text("\n".join(
                line for line in PRELUDE.splitlines()
                if not (m := re.match(r"(?:public )?(?:let|class) (\w+)", line)) or m[1] not in declared))
            main.write_text("import CoreData\nimport Foundation\n" + code)
            run = subprocess.run(
                ["swiftc", "-typecheck", "-swift-version", "5", "-suppress-warnings", *sys.argv[1:], str(prelude), str(main)],
                capture_output=True, text=True)
        if run.returncode:
            failed += 1
            line = text[:block.start()].count("\n") + 1
            errors = [l for l in run.stderr.splitlines() if ": error:" in l][:3]
            print(f"{page.relative_to(root)}:{line}: " + "; ".join(e.split("error: ")[1] for e in errors), file=sys.stderr)
print(f"check-snippets: {checked} blocks compile or should, {failed} don't; {left} are sketches, manifests or tests")
sys.exit(1 if failed else 0)
