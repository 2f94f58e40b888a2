"""Build nd4py with sanitizers, apart from the usual build, and run the tests of memory and threads on it.

    python tests/sanitizers/run.py address              # AddressSanitizer and UndefinedBehaviorSanitizer
    python tests/sanitizers/run.py thread               # ThreadSanitizer
    python tests/sanitizers/run.py address --short      # the few tests that continuous integration has time for
    python tests/sanitizers/run.py address -- arrays/test_arrays.py -k views      # what pytest shall run instead

The build is kept in build/sanitize-<name>, and only what changed is compiled again.  The command fails with the first
finding, which it prints, or with a test that fails.  It needs gcc with its sanitizers, and an interpreter that can be
run with a library preloaded.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
LIBRARIES = {"address": "libasan.so", "thread": "libtsan.so"}
OPTIONS = {
    # The interpreter and its libraries free little at their end, and allocate more than there is in tests of limits.
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:abort_on_error=1:handle_segv=1:use_sigaltstack=0",
    "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1",
    "TSAN_OPTIONS": f"halt_on_error=1:suppressions={HERE / 'thread_suppressions.txt'}:history_size=4",
}
# The tests of memory, overlap, lifetimes and threads.
TESTS = {
    "address": [
        "memory/test_memory_pool.py", "memory/test_memory_stress.py", "memory/test_memory_debug.py",
        "memory/test_workspaces.py", "memory/test_workspace_circular.py", "memory/test_workspace_reuse.py",
        "memory/test_workspace_programs.py", "lazy/test_combination_hazards.py", "lazy/test_combination_lifetimes.py",
        "arrays/test_released_arrays.py", "arrays/test_attached_arrays.py", "arrays/test_arrays.py",
        "api/indexing/test_indexing.py", "api/interop/test_interop.py", "api/indexing/test_selection.py",
        "memory/test_memory_and_threads.py", "api/reductions/test_short_rows.py", "api/products/test_matmul_loops.py",
        "arrays/test_overlap.py", "threads/test_running_kernels.py", "lazy/test_combination_programs.py",
        "api/interop/test_hostile_exporters.py", "api/reductions/test_scans.py", "api/products/test_products.py",
    ],
    "thread": [
        "memory/test_memory_pool.py", "memory/test_memory_stress.py", "memory/test_memory_and_threads.py",
        "lazy/test_combination_lifetimes.py", "memory/test_workspaces.py", "arrays/test_caches.py",
        "data/test_data_asynchronous.py", "parallel/test_parallel_wrapper.py",
    ],
}  # fmt: skip
# What these expect depends on how fast the machine is: a sanitizer makes it many times slower.
TIMED = ["tests/memory/test_memory_pool.py::test_a_fixed_loop_hits"]
SHORT = {
    "address": [
        "memory/test_memory_pool.py", "memory/test_workspaces.py", "lazy/test_combination_hazards.py",
        "api/interop/test_interop.py",
    ],
    "thread": ["memory/test_memory_pool.py", "memory/test_memory_and_threads.py"],
}  # fmt: skip


def main(arguments=None):
    """Build, test, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sanitizer", choices=LIBRARIES)
    parser.add_argument("--short", action="store_true", help="run few tests")
    parser.add_argument("--build-only", action="store_true", help="run none")
    parser.add_argument("--fuzz", metavar="SECONDS", type=int, help="run the fuzzer for so long instead of the tests")
    parser.add_argument("tests", nargs="*", help="what pytest shall run, after --")
    given = parser.parse_args(arguments)
    tree = built_tree(given.sanitizer)
    if given.build_only:
        return 0
    command = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += [f"--deselect={name}" for name in TIMED]
    command += given.tests or (SHORT if given.short else TESTS)[given.sanitizer]
    folder = tree / "tests"
    if given.fuzz:
        command, folder = ["-m", "tests.fuzz", "--seconds", str(given.fuzz)], tree
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment(given.sanitizer, tree), check=False
    ).returncode


def built_tree(sanitizer):
    """A copy of the sources, built in place with a sanitizer."""
    tree = ROOT / "build" / f"sanitize-{sanitizer}"
    copy_sources(tree)
    settings = {"ND4PY_SANITIZE": sanitizer, "ND4PY_BUILD_ISA": os.environ.get("ND4PY_BUILD_ISA", "v3")}
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=tree, env=os.environ | settings, check=True
    )
    return tree


def copy_sources(tree):
    """Copy what git knows, and new files it does not ignore, where they changed; delete what is gone."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    names = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        source, target = ROOT / name, tree / name
        if not target.exists() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    listing = tree / ".copied"
    if listing.exists():
        for name in set(listing.read_text().splitlines()) - names:
            (tree / name).unlink(missing_ok=True)
    listing.write_text("\n".join(sorted(names)))


def environment(sanitizer, tree):
    """The environment variables that a program needs to run on the build."""
    libraries = [
        subprocess.run(["gcc", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
        for name in (LIBRARIES[sanitizer], "libstdc++.so")  # before the sanitizer looks for its exceptions
    ]
    return OPTIONS | os.environ | {
        "LD_PRELOAD": " ".join(libraries),
        "PYTHONPATH": str(tree),
        "PYTHONMALLOC": "malloc",
        "OMP_WAIT_POLICY": "passive",
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
