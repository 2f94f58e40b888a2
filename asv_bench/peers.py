"""nd4py beside the libraries one would pick instead: the same work, interleaved in one run, as tables of medians.

    python asv_bench/peers.py                                   # everything on 2 threads: some ten minutes
    python asv_bench/peers.py --quick                           # fewer rows and rounds: some three minutes
    python asv_bench/peers.py --group reductions --only 'argmax|var' --threads 1,2 --libs nd4py,numpy,torch
    python asv_bench/peers.py --group small --save rows.json    # in pieces: rows are added to the file ...
    python asv_bench/peers.py --load rows.json --markdown       # ... and printed as one page
    python asv_bench/peers.py --profile-step                    # where the LeNet step spends its time

Design: libraries take turns within every round, so that a neighbour's burst hits all of them.  Times are medians of the
rounds; ratios are medians of the ratios of each round, since a memory that is slow for minutes is slow for all that
take part in them.  A result is allocated by its library, the way users write it, and compared
with NumPy's before anything is timed.  The limit of a row takes turns as well: a probe that moves as many bytes, or the
peak of the arithmetic.  A turn begins when the idle threads of all others are asleep.  A peer that is far behind after
two rounds takes no further turns.  A row is marked ~ when other processes were busy meanwhile: on a shared core,
threads that wait for each other show nothing else.
"""

import argparse
import re
import sys
from importlib.util import find_spec

from peer_race import LIBRARIES, measured, taking_part
from peer_report import OURS, floor_lines, head_of, load, page, save, table_head, table_line
from peer_work import WORK

FAMILIES = tuple(dict.fromkeys(work.family for work in WORK))


def parse_options(arguments):
    """The command line as a namespace."""
    split = lambda text: text.split(",")  # noqa: E731
    parser = argparse.ArgumentParser(description="Time nd4py beside other libraries; prints markdown tables.")
    parser.add_argument("--libs", type=split, help=f"{', '.join(LIBRARIES)}; those that are installed if not given")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in split(text)], default=[2])
    parser.add_argument("--rounds", type=int, help="turns of every library: 5, in a quick run 3")
    parser.add_argument("--group", type=split, default=FAMILIES, help=f"families of work: {', '.join(FAMILIES)}")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), help="rows whose name matches this pattern")
    parser.add_argument("--quick", action="store_true", help="fewer rows and rounds")
    parser.add_argument("--tuned", action="store_true", help="the peers again, under a malloc that keeps its pages")
    parser.add_argument("--markdown", action="store_true", help="a page: command, machine, limits, summary, tables")
    parser.add_argument("--save", metavar="FILE", help="add the measured rows to a file")
    parser.add_argument("--load", metavar="FILE", nargs="+", help="print saved rows instead of measuring")
    parser.add_argument("--profile-step", action="store_true", help="time the pieces of nd4py's LeNet step instead")
    options = parser.parse_args(arguments)
    for option, known in (("libs", LIBRARIES), ("group", FAMILIES)):
        if unknown := set(getattr(options, option) or ()) - set(known):
            parser.error(f"--{option}: unknown {', '.join(sorted(unknown))}; known are {', '.join(known)}")
    options.rounds = options.rounds or (3 if options.quick else 5)
    options.libs = installed(options.libs)
    options.packages = dict.fromkeys(LIBRARIES[name].package_name() for name in options.libs if name not in OURS)
    return options


def installed(names):
    """The libraries to compare.  Raises SystemExit when one that was asked for is not installed."""
    found = []
    for name in names or LIBRARIES:
        if find_spec(LIBRARIES[name].package_name()):
            found.append(name)
        elif names:
            raise SystemExit(f"peers: {name} is not installed; choose others with --libs")
        else:
            print(f"peers: without {name}, which is not installed", file=sys.stderr)
    return found


def chosen_work(options):
    """The positions in WORK of the rows that belong to the run."""
    for position, work in enumerate(WORK):
        is_named = options.only.search(f"{work.family}, {work.name}")
        if work.family in options.group and is_named and (work.is_core or not options.quick):
            yield position


def lines(options, arguments):
    """What a run prints, line by line: tables as they are measured, or one page at the end."""
    heads, rows = (
        load(options.load) if options.load else ([head_of(arguments, options)], measured(options, chosen_work(options)))
    )
    if options.save:
        save(options.save, heads[0])
    measured_rows, family = [], None
    for row in rows:
        measured_rows.append(row)
        if options.save:
            save(options.save, row)
        if not options.markdown:
            if row.family != family:
                family = row.family
                libs = taking_part(options.libs, family)
                yield from table_head(family, libs, options.tuned)
            yield table_line(row, libs, options.tuned)
    if options.markdown:
        yield from page(heads, measured_rows, options)
    else:
        yield from floor_lines(measured_rows)


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    options = parse_options(arguments)
    if options.profile_step:
        from step_profile import profile

        printed = profile(options)
    else:
        printed = lines(options, arguments)
    for line in printed:
        print(line, flush=True)


if __name__ == "__main__":
    main()
