"""Diagnostics of memory: statistics, reports, recordings, and annotations for sanitizers.

The files, as the build lists them:

- call_site.pyx: Call sites: the line of the user's program that made an array, or called an operation which runs later.
- memory_statistics.py: Statistics of the memory pool.
- memory_wants.py: Out-of-memory errors, with reports of other layers.
- pool_events.pyx: Event log of the pool: every request, for plots of memory over time.
- pool_report.py: Memory reports as text: a summary, and a report on a failed request.
- recording.py: Recordings of memory over time, and their plots.
- sanitizer.h: Annotations of pool blocks for AddressSanitizer.
"""
