# Made from sort_loops.h by the build (nd4py/_spec/render/loop_headers.py); change that.
from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int64_t, uint64_t, uint8_t

cdef extern from "sort_loops.h" nogil:
    enum:
        SORT_BUCKETS
        SPREAD_BYTES

    cdef struct SortLine:
        ptrdiff_t n
        const char* keys
        ptrdiff_t key_bytes
        int64_t lowest, highest
        int64_t varying
        int64_t nan_key
        bint has_twins
        bint is_packed
        int shift, index_bits
        int idle_bits
        ptrdiff_t item_bytes
        char* items
        char* sorted
        uint8_t* bucket
        ptrdiff_t start[257]
        char spread[384]

    int sort_bit_width(uint64_t x) noexcept

    int sort_key_bits(SortLine* line) noexcept

    void choose_packing(SortLine* line) noexcept

    bint choose_narrowing(SortLine* line) noexcept

    cdef struct KeyRange:
        int64_t lowest, highest, varying
        bint has_twins

    cdef struct SortGroups:
        char* keys
        int64_t* start
        int64_t* first
        int64_t* inverse

    cdef struct ItemLoops:
        int (*direction)(const char* items, ptrdiff_t n) noexcept nogil
        void (*choose_spread)(SortLine* line) noexcept nogil
        void (*classify)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, ptrdiff_t* counts) noexcept nogil
        void (*scatter)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, ptrdiff_t* next) noexcept nogil
        void (*sort)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, char* from_, char* other) noexcept nogil
        void (*pack)(const SortLine* line, ptrdiff_t first, ptrdiff_t end) noexcept nogil
        void (*unpack)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, int64_t* positions) noexcept nogil
        void (*widen)(const SortLine* line, const char* items, ptrdiff_t n, char* keys) noexcept nogil
        void (*reverse)(const SortLine* line) noexcept nogil
        ptrdiff_t (*count_groups)(const SortLine* line, ptrdiff_t first, ptrdiff_t end) noexcept nogil
        void (*write_groups)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, ptrdiff_t group,
                             const SortGroups* groups) noexcept nogil

    cdef struct SortLoops:
        void (*search_left)(const char* x, ptrdiff_t n, const char* queries, ptrdiff_t m,
                            int64_t* positions) noexcept nogil
        void (*search_right)(const char* x, ptrdiff_t n, const char* queries, ptrdiff_t m,
                             int64_t* positions) noexcept nogil
        void (*contain)(const char* x_bytes, ptrdiff_t n, const char* query_bytes, ptrdiff_t m, bint is_inverted,
                        uint8_t* found) noexcept nogil
        ptrdiff_t (*table_bytes)(const char* x_bytes, ptrdiff_t n) noexcept nogil
        void (*fill_table)(const char* x_bytes, ptrdiff_t n, uint8_t* table) noexcept nogil
        void (*look_up)(const char* x_bytes, ptrdiff_t n, const uint8_t* table, const char* query_bytes, ptrdiff_t m,
                        bint is_inverted, uint8_t* found) noexcept nogil
        ptrdiff_t key_bytes
        bint is_key
        int64_t nan_key
        void (*encode)(const char* x, ptrdiff_t n, bint descending, char* keys, KeyRange* range) noexcept nogil
        void (*decode)(const char* key_bytes, ptrdiff_t n, bint descending, char* y_bytes) noexcept nogil
        void (*restore)(const char* x_bytes, ptrdiff_t n, bint descending, char* y_bytes) noexcept nogil
        void (*sort_line)(const char* x, ptrdiff_t n, bint descending, ptrdiff_t first, ptrdiff_t last, char* y,
                          char* memory) noexcept nogil
        void (*argsort_line)(const char* x, ptrdiff_t n, bint descending, int64_t* y, char* memory) noexcept nogil
        void (*topk_line)(const char* x, ptrdiff_t n, bint descending, ptrdiff_t k, int64_t* positions,
                          char* memory) noexcept nogil
        void (*argpartition_line)(const char* x, ptrdiff_t n, ptrdiff_t first, ptrdiff_t last, int64_t* positions,
                                  char* memory) noexcept nogil

    cdef struct SortTable:
        const SortLoops* const* dtypes
        ItemLoops items[2]
