"""The lazy engine: deferred operations, on the host and on devices alike.

The files, as the build lists them:

- chain.pyx: Chain: a graph of deferred operations on arrays of one shape.
- deferred.pyx: DeferredArray: an array whose values have not been computed yet.
- deferred_program.pyx: The program of a chain as data that can be printed or drawn.
- deferring.pyx: Deferring: whether operations of a thread are deferred, which chain one joins, and when its values are
  needed.
- lazy_backend.pyx: Backend: what the lazy engine asks of the host and of a family of devices; and when it runs chains
  of any thread.
"""
