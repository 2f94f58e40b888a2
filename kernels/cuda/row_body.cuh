// Bodies of rows and conversions: what they do to the elements at one index.
#pragma once
#include "device.cuh"

// A row on elements of type T.
template <class Op, class T> struct RowBody {
  using C = compute_of<T>;
  using R = typename Op::template out<C>;
  using In = T;
  using Out = stored_result<T, R>;
  static constexpr int n_in = Op::n_in, n_out = Op::n_out, condition = Op::condition;

  template <int K> ND_DEVICE static auto input(const In* x, bool flag) {
    if constexpr (K == condition)
      return (unsigned char)flag;
    else
      return stored<In>::get(x[K]);
  }

  ND_DEVICE static void apply(const double* params, Out* y, const In* x, bool flag) {
    C scalars[Op::n_params + 1];
    for (int k = 0; k < Op::n_params; ++k) scalars[k] = (C)params[k];
    R results[n_out];
    if constexpr (n_in == 1)
      Op::template apply<C>(scalars, results, input<0>(x, flag));
    else if constexpr (n_in == 2)
      Op::template apply<C>(scalars, results, input<0>(x, flag), input<1>(x, flag));
    else if constexpr (n_in == 3)
      Op::template apply<C>(scalars, results, input<0>(x, flag), input<1>(x, flag), input<2>(x, flag));
    else if constexpr (n_in == 4)
      Op::template apply<C>(scalars, results, input<0>(x, flag), input<1>(x, flag), input<2>(x, flag),
                            input<3>(x, flag));
    else if constexpr (n_in == 5)
      Op::template apply<C>(scalars, results, input<0>(x, flag), input<1>(x, flag), input<2>(x, flag),
                            input<3>(x, flag), input<4>(x, flag));
    else
      Op::template apply<C>(scalars, results, input<0>(x, flag), input<1>(x, flag), input<2>(x, flag),
                            input<3>(x, flag), input<4>(x, flag), input<5>(x, flag));
    for (int k = 0; k < n_out; ++k) {
      if constexpr (is_same<R, Out>)
        y[k] = results[k];
      else
        y[k] = stored<Out>::put(results[k]);
    }
  }
};

// Elements of one type as another.
template <class From, class To> struct CastBody {
  using In = From;
  using Out = To;
  static constexpr int n_in = 1, n_out = 1, condition = -1;
  ND_DEVICE static void apply(const double*, Out* y, const In* x, bool) {
    if constexpr (is_same<In, Out>)
      y[0] = x[0];
    else
      y[0] = stored<Out>::put(passed<Out>(stored<In>::get(x[0])));
  }
};
