cdef object item(object given)
