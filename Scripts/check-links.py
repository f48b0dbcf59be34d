"""Looks for what leads nowhere: links of the repository's Markdown files and of the built site's data, and names of tests, variables, make
targets and scripts that the pages speak of."""
import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
broken = []
checked = 0


def slugs(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", h).strip().lower()).replace(" ", "-")
            for h in re.findall(r"^#{1,6} +(.+)$", text, flags=re.M)}


files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=root, capture_output=True, text=True, check=True)
for name in files.stdout.split():
    file = root / name
    text = re.sub(r"^```.*?^```", "", file.read_text(), flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"src=\"([^\"]+)\"", text):
        checked += 1
        if re.match(r"[a-z]+:", target):
            if not re.match(r"(https://[\w.-]+/?\S*|mailto:\S+)$", target):
                broken.append(f"{name}: {target} is no address")
            continue
        path, _, fragment = target.partition("#")
        other = (file.parent / path).resolve() if path else file
        if not other.exists():
            broken.append(f"{name}: {target} leads to no file")
        elif fragment and other.suffix == ".md" and fragment not in slugs(other):
            broken.append(f"{name}: {target} leads to no heading")

makefile = (root / "Makefile").read_text()
sources = makefile + (root / "Package.swift").read_text() + "".join(
    f.read_text(errors="replace") for folder in ("Sources", "Tests", "Scripts", "Benchmarks", "Plugins")
    for f in sorted((root / folder).rglob("*")) if f.is_file() and f.suffix in ("", ".swift", ".c"))
for name in files.stdout.split():
    text = (root / name).read_text()
    for kind, pattern, is_there in (
        ("test", r"\b(\w+Tests)\b`", lambda w: re.search(rf'(struct|class|enum|name:) "?{w}\b', sources)),
        ("variable", r"\b(COREDATA_[A-Z_]+)\b", lambda w: w in sources),
        ("make target", r"`make ([a-z-]+)", lambda w: re.search(rf"^{w}:", makefile, flags=re.M)),
        ("script", r"`(Scripts/[\w.-]+)", lambda w: (root / w).exists()),
    ):
        # What the page says of the old places is no more.
        if name == "Documentation/Moves.md" and kind == "test":
            continue
        for word in set(re.findall(pattern, text)):
            checked += 1
            if not is_there(word):
                broken.append(f"{name}: there is no {kind} {word}")

# What the workflows call is there, too.
for workflow in (root / ".github/workflows").glob("*.yml"):
    text = re.sub(r"^ *#.*$", "", workflow.read_text(), flags=re.M)
    calls = " ".join(re.findall(r"\bmake ((?:[a-z-]+ ?)+)", re.sub(r"install -q -y .*", "", text)))
    for targets in re.findall(r"target: \[(.*)\]", text):
        calls += " " + re.sub(r"[',]", " ", targets)
    calls += " " + " ".join(re.findall(r"^ +- ([a-z-]+)(?: +#.*| [A-Z]+=\d+)?$", text, flags=re.M))
    for target in set(calls.split()):
        checked += 1
        if not re.search(rf"^{target}:", makefile, flags=re.M):
            broken.append(f"{workflow.name}: there is no make target {target}")

site = root / ".build-docs/site"
if site.is_dir():
    pages = {f"/{f.parent.relative_to(site)}".lower() for f in site.rglob("index.html")}
    for file in (site / "data").rglob("*.json"):
        data = json.loads(file.read_text())
        anchors = {item.get("anchor") for section in data.get("primaryContentSections", [])
                   for item in section.get("content", []) if item.get("type") == "heading"}
        for identifier, reference in data.get("references", {}).items():
            url = reference.get("url", "")
            kind = reference.get("type")
            if kind in ("topic", "section", "link") and url.startswith("/"):
                checked += 1
                if url.split("#")[0].rstrip("/").lower() not in pages:
                    broken.append(f"{file.relative_to(site)}: {url} leads to no page")
            # A protocol of another module, which the page names without a link, is none.
            elif kind == "unresolvable" and not re.match(r"_?[A-Z]\w*\.", reference.get("title", "")):
                broken.append(f"{file.relative_to(site)}: {reference.get('title')} leads nowhere")
            elif kind == "image":
                for variant in reference.get("variants", []):
                    checked += 1
                    if not (site / variant["url"].lstrip("/")).exists():
                        broken.append(f"{file.relative_to(site)}: the picture {variant['url']} isn't there")
else:
    print("check-links: the site isn't built (make docs); only the repository's pages are looked at")

for line in sorted(set(broken))[:50]:
    print(line, file=sys.stderr)
print(f"check-links: {checked} links, {len(set(broken))} lead nowhere")
sys.exit(1 if broken else 0)
