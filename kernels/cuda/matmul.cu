// Matrix products of every dtype.  Where cuBLAS has the dtype, the host prefers that one
// (nd4py/cuda/linalg/products.py).
#include "product.cuh"

template <class T> struct StridedMatrix {
  const T* x;
  long long row, column;
  ND_DEVICE compute_of<T> get(long long i, long long j) const { return stored<T>::get(x[i * row + j * column]); }
};

// Element offsets of matrix `i` of a batch.
ND_DEVICE long long batch_offset(const ProductArguments& arguments, const long long* strides, long long i) {
  long long offset = 0;
  unsigned rest = (unsigned)i;
  for (int axis = 0; axis < (int)arguments.batch_rank; ++axis) {
    const unsigned next = divide(rest, arguments.batch_axes[axis]);
    offset += (rest - next * arguments.batch_axes[axis].size) * strides[axis];
    rest = next;
  }
  return offset;
}

// A: what sums are carried in.  Truth values: whether any pair of elements is true.
template <class T, class A> ND_DEVICE void matmul(const ProductArguments& arguments) {
  const long long across = product_tiles(arguments.columns), tiles = product_tiles(arguments.rows) * across;
  for (long long i = blockIdx.x; i < tiles * arguments.batch; i += gridDim.x) {
    const long long matrix = i / tiles, tile = i % tiles;
    const StridedMatrix<T> left{(const T*)arguments.a + batch_offset(arguments, arguments.a_batch, matrix),
                                arguments.a_row, arguments.a_column};
    const StridedMatrix<T> right{(const T*)arguments.b + batch_offset(arguments, arguments.b_batch, matrix),
                                 arguments.b_row, arguments.b_column};
    T* c = (T*)arguments.c + matrix * arguments.c_batch;
    const long long c_row = arguments.c_row;
    product_tile<A>(left, right, arguments.rows, arguments.columns, arguments.depth, tile / across, tile % across,
                    [=](long long row, long long column, A sum) {
                      c[row * c_row + column] = stored<T>::put(convert<compute_of<T>>(sum));
                    });
  }
}
