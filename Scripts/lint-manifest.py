"""What the manifest asks of a Mac: no newer system than a package without `platforms` has there, and no product of another package.

    swift package dump-package | lint-manifest.py
"""
import json
import sys

OLDEST = {"macos": "10.13", "maccatalyst": "13.0", "ios": "12.0", "tvos": "12.0", "watchos": "4.0", "visionos": "1.0"}
package = json.load(sys.stdin)
wrong = []
asked = {platform["platformName"]: platform["version"] for platform in package["platforms"]}
for name, version in OLDEST.items():
    if asked.get(name) != version:
        wrong.append(f"{name} {asked.get(name)} instead of {version}")
for target in package["targets"]:
    for dependency in target["dependencies"]:
        if "product" not in dependency:
            continue
        product, _, _, condition = dependency["product"]
        if (condition or {}).get("platformNames") != ["linux"]:
            wrong.append(f"{target['name']} uses {product} on a Mac, too")
if wrong:
    sys.exit("lint-portable: " + "; ".join(wrong) + " (Package.swift)")
