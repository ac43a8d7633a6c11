"""Print what a card says of training pictures that state their sources: `credits.py DATA`, DATA as train.py takes it."""
import json
import sys
from pathlib import Path

# What every picture of a set is from, in one line; of the others each one's credit is listed.
ALIKE = ("caltech4", "fluent3d", "smallitems", "research-davis", "research-grabcut", "research-horses")

if __name__ == "__main__":
    for listed in sorted(Path(sys.argv[1]).glob("*/index.json")):
        name, pictures = listed.parent.name, json.loads(listed.read_text())
        if name in ALIKE:
            continue
        by_licence = {}
        for picture in pictures:
            by_licence.setdefault(picture["licence"], []).append(picture["credit"])
        for licence, credits in sorted(by_licence.items()):
            print(f"**{name}**, {licence}: {', '.join(sorted(set(credits)))}.\n")
