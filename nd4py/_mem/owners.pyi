# Made from nd4py/_mem/owners.pyx by the build (nd4py/_spec/render_stubs.py); change the source, not this file.
TRACE_DOMAIN: int
