"""The lazy engine: operations that have been called and not yet been run, on the host and on devices alike.

chain      operations on arrays of one shape, as numbers
backend    what a kind of memory supplies: it runs a chain, and says how much one may hold and where results belong
deferring  which chain an operation joins
hazards    when chains run: somebody looks, or what they read is about to change
explaining what a chain is going to do, for people
"""
