"""Nodes put behind those whose outputs they read, which the format asks for and some tools forget."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from onnx import GraphProto, NodeProto

from .schemas import graphs_in, graphs_of


def sort_nodes(graph: GraphProto) -> None:
    """Put the nodes of `graph`, and of the graphs inside of it, in an order that can be run.

    What is in order stays as it is.  Nodes of a cycle stay too, for the check of the format to find.
    """
    for part in graphs_in(graph):
        nodes = list(part.node)
        order = runnable_order(nodes)
        if order != list(range(len(nodes))) and len(order) == len(nodes):
            kept = [NodeProto.FromString(nodes[i].SerializeToString()) for i in order]
            del part.node[:]
            part.node.extend(kept)


def runnable_order(nodes: list[NodeProto]) -> list[int]:
    """The numbers of the nodes that can run, as early as the file has them.  Kahn 1962, doi 10.1145/368996.369025"""
    makers = {name: i for i, node in enumerate(nodes) for name in node.output if name}
    sources = [{makers[name] for name in names_read(node) if name in makers} for node in nodes]
    readers: list[list[int]] = [[] for _ in nodes]
    for i, made_by in enumerate(sources):
        for source in made_by:
            readers[source].append(i)
    n_waiting = [len(made_by) for made_by in sources]
    ready = [i for i, n in enumerate(n_waiting) if n == 0]
    heapify(ready)
    order = []
    while ready:
        order.append(i := heappop(ready))
        for reader in readers[i]:
            n_waiting[reader] -= 1
            if n_waiting[reader] == 0:
                heappush(ready, reader)
    return order


def names_read(node: NodeProto) -> set[str]:
    """The values that a node reads, also those that its inner graphs take from around them."""
    names = {*node.input}
    for graph in graphs_of(node):
        for part in graphs_in(graph):
            names.update(name for inner in part.node for name in inner.input)
            names.update(value.name for value in part.output)
    return names - {""}
