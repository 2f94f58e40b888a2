cdef bint store_directly(object value, int number, char* to) except -1
