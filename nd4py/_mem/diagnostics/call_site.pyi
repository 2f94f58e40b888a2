# Made from nd4py/_mem/diagnostics/call_site.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
TRACE_DOMAIN: int
