"""What this build and this process use: configuration, workspaces, deferral, gradients.

The files, as the build lists them:

- build_configuration.py: What this build and this process use.
- commit.py: Steps that are done or not done, for the layers above; on every device.
- deferral_control.py: Operations on large arrays that are put off and run together: control, counters, and a look at
  what is pending.
- gradients.py: Gradients of functions of arrays.
- inspection.py: What the namespace offers, for libraries that ask.
- program_picture.py: A picture of a program of pending operations: nodes in columns from left to right, and arrows
  between them.
- workspace_scopes.py: Arenas for the arrays of a scope.
"""
