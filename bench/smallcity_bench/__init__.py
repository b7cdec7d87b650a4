"""How fast this environment is, compared with similar ones: `smallcity bench`.

measure.py   what a case is; interleaved rounds on one core, and the figures they yield
play.py      the loops of random legal play shared by all cases
ours.py      the cases of this project;  learner.py  the learner
peers/       one file per peer: what one run does, and what it counts
start.py     start-up time, with and without compiling
targets.py   performance targets, as data
report.py    tables, bars and JSON
compare.py   this version and a revision in turns;  rounds.py  one side of it
cluster.py   what Ray costs beside a pool of processes
rllib.py     RLlib beside `smallcity train ppo`
"""
