# Structs of the allocator: memory blocks, the blocks of each stream, and uses by other streams.
from nd4py._mem.pool.pool_classes cimport N_CLASSES

cdef struct Use:                         # a stream, other than its own, that works on a block
    int device_number
    size_t stream
    size_t event                         # recorded on that stream when the block was given back, or 0
    bint is_foreign                      # a stream of another library's, which may be gone by then
    long long since                      # how many streams had ended when it was noted last
    Use* next

cdef struct Lane:                        # the blocks of one stream
    size_t stream
    int device_number
    bint is_held                         # by a graph, which names the addresses of its blocks
    Block* retained                      # given back, but the graph may work on them as long as it lives
    Block* uploads                       # pinned, in use: what the graph's step copies from the host, in order
    Block* last_upload
    Block* next_upload                   # while the step is captured: the one that is filled next
    Lane* heir                           # where its blocks go, once the stream is gone
    Block* shelves[N_CLASSES]            # free blocks by size class, the last one given back first

cdef struct Block:
    size_t address
    size_t n_bytes
    size_t requested
    int number                           # of the size class
    Lane* lane
    void* cache                          # the Cache, which is never freed
    Use* uses
    Block* next
    void* owner                          # the object that lends foreign memory, held; else NULL
