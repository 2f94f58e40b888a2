"""Descriptions of plans and programs for graphs that are captured."""

from nd4py.cpu.program.program cimport Program


cdef int add_call(Launch launch, const MapCall* call) except -1:
    """What is computed: a row or a program, with its parameters."""
    cdef const Program* program = call.program
    cdef int i
    launch.add(call, sizeof(MapCall))
    launch.value(&call.params, call.n_params * sizeof(double))
    if program == NULL:
        return 0
    launch.add(program, sizeof(Program))
    launch.link(&call.program)
    for i in range(program.n_steps):
        launch.value(&program.steps[i].params, program.steps[i].n_params * sizeof(double))
    return 0


cdef int add_plan(Launch launch, const Plan* plan, int n_in) except -1:
    """What is read, which comes first, and what is written."""
    cdef int k
    launch.add(plan, sizeof(Plan))
    for k in range(plan.n_operands):
        launch.operand(&plan.data[k], k >= n_in)
    return 0
