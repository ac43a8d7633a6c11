"""Print the table of credits that a model's card ends with, from data.tsv.

The first 65 lines of data.tsv trained `faithful` and `restore`; `natural` saw all but the held ones.
"""
import csv
from pathlib import Path


def link(line):
    """The picture's name, leading to where it is from."""
    name = line["credit"] or line["file"]
    address, _, path = line["url"].partition(" ")
    return f"[{name}]({address}) {path}".strip() if address else name


if __name__ == "__main__":
    print("| picture | source | licence |\n|---|---|---|")
    with open(Path(__file__).parent / "data.tsv", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            if not line["held"]:
                print(f"| {link(line)} | {line['source']} | {line['licence']} |")
