"""How fast this environment is, beside others of its class: `smallcity bench`.

measure.py   what a case is; interleaved rounds on one core, and the figures they give
play.py      the loops of random legal play shared by all that is measured
ours.py      the cases of this project
peers/       one file per peer: what one run does, and what it counts
start.py     the first compile, and starting again
targets.py   what is to be reached, as data
report.py    tables, bars and JSON;  charts.py  the same as pictures
profile.py   where the time of a rollout goes
growth.py    how the cost grows
"""
