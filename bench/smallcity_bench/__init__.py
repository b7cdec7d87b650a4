"""How fast this environment is, compared with similar ones: `smallcity bench`.

measure.py   what a case is; interleaved rounds on one core, and the ratios they yield
ours.py      the cases of this project; start.py: start-up time, with and without compiling
peers.py     those of others: what one run does, and what it counts
targets.py   performance targets, as data; report.py: tables and JSON
compare.py   this version and a revision in turns
"""
