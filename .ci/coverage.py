"""Line coverage of some targets: coverage.py REPORT PERCENT TARGET…, where REPORT is llvm-cov's JSON.

Prints a line for each target, and exits with 1 if one of them has too little.
"""

import json
import sys

report, least, targets = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
with open(report, encoding="utf-8") as file:
    files = json.load(file)["data"][0]["files"]

good = True
for target in targets:
    lines = [f["summary"]["lines"] for f in files if f"/Sources/{target}/" in f["filename"]]
    count, covered = sum(l["count"] for l in lines), sum(l["covered"] for l in lines)
    percent = 100 * covered / count if count else 0.0
    enough = percent > least
    good = good and enough
    print(f"{target}: {percent:.2f} % of {count} lines covered, {'enough' if enough else 'too little'}")

sys.exit(0 if good else 1)
