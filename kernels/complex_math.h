// Complex functions of the host's library.
#pragma once
#include <complex>

#include "complex.h"

template <class T> std::complex<T> host(nd_complex<T> z) { return std::complex<T>(z.re, z.im); }
template <class T> nd_complex<T> ours(std::complex<T> z) { return nd_complex<T>(z.real(), z.imag()); }
template <class T> nd_complex<T> exp(nd_complex<T> z) { return ours<T>(std::exp(host(z))); }
template <class T> nd_complex<T> log(nd_complex<T> z) { return ours<T>(std::log(host(z))); }
template <class T> nd_complex<T> log10(nd_complex<T> z) { return ours<T>(std::log10(host(z))); }
template <class T> nd_complex<T> sin(nd_complex<T> z) { return ours<T>(std::sin(host(z))); }
template <class T> nd_complex<T> cos(nd_complex<T> z) { return ours<T>(std::cos(host(z))); }
template <class T> nd_complex<T> tan(nd_complex<T> z) { return ours<T>(std::tan(host(z))); }
template <class T> nd_complex<T> asin(nd_complex<T> z) { return ours<T>(std::asin(host(z))); }
template <class T> nd_complex<T> acos(nd_complex<T> z) { return ours<T>(std::acos(host(z))); }
template <class T> nd_complex<T> atan(nd_complex<T> z) { return ours<T>(std::atan(host(z))); }
template <class T> nd_complex<T> sinh(nd_complex<T> z) { return ours<T>(std::sinh(host(z))); }
template <class T> nd_complex<T> cosh(nd_complex<T> z) { return ours<T>(std::cosh(host(z))); }
template <class T> nd_complex<T> tanh(nd_complex<T> z) { return ours<T>(std::tanh(host(z))); }
template <class T> nd_complex<T> asinh(nd_complex<T> z) { return ours<T>(std::asinh(host(z))); }
template <class T> nd_complex<T> acosh(nd_complex<T> z) { return ours<T>(std::acosh(host(z))); }
template <class T> nd_complex<T> atanh(nd_complex<T> z) { return ours<T>(std::atanh(host(z))); }
template <class T> nd_complex<T> expm1(nd_complex<T> z) { return exp(z) - nd_complex<T>(1); }
template <class T> nd_complex<T> log1p(nd_complex<T> z) { return log(z + nd_complex<T>(1)); }
template <class T> nd_complex<T> log2(nd_complex<T> z) { return log(z) / nd_complex<T>(T(0.6931471805599453)); }
template <class T> nd_complex<T> power(nd_complex<T> x, nd_complex<T> y) { return ours<T>(std::pow(host(x), host(y))); }
