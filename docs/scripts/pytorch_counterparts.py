"""What to write here for names of PyTorch: by namespace, names and what stands for them.

Names that nd4py has too need no entry, unless they differ (`DIFFERS`).
"""

DIFFERS = {
    "load save": "arrays alone: `.npy`, `.npz`, safetensors; nothing is unpickled",
    "split": "NumPy's: the number of parts, or the places of the cuts, and not the size of a part",
    "max min median": "with `axis=` the values alone; `nd.argmax(x, axis=1)` has the indices",
    "std var": "divide by n; `correction=1` divides by n - 1, as PyTorch does",
    "sort": "the values alone; `nd.argsort` has the indices",
    "where": "with one argument as `nd.nonzero`",
    "select": "NumPy's choice by conditions; for PyTorch's write `nd.take(x, 3, axis=0)`",
    "gradient": "NumPy's, of samples; gradients of functions are `nd.grad`",
    "take": "along the flattened array, as PyTorch's, unless `axis=` is given",
    "flip": "`axis=`; without it all axes",
    "sum mean prod": "`axis=`, `keepdims=`, `dtype=`",
    "equal": "element by element; `nd.array_equal(x, y)` is one answer",
    "all any": "`axis=`, `keepdims=`",
    "dot": "NumPy's: matrices are multiplied",
    "cross": "the last axis unless told",
    "reshape": "the shape is one argument; `x.reshape(2, 3)` takes numbers",
    "repeat": "repeats elements, as `repeat_interleave`; PyTorch's `x.repeat` is `nd.tile`",
    "transpose": "`nd.transpose(x, (1, 0))`: all axes; two are `nd.swapaxes(x, 0, 1)`",
    "tile": "the repetitions are one argument",
    "histogram": "NumPy's: counts are whole numbers",
    "zeros ones empty": "the shape is one argument; float64 unless told",
    "nonzero": "a tuple with an array for each axis; `nd.argwhere` has a row for each place",
    "squeeze": "`axis=`",
    "clip": "`nd.clip(x, min, max)`",
    "set_printoptions": "NumPy's arguments",
    "conv2d conv3d conv_transpose2d conv_transpose3d": "no `bias`: add it",
}
NONE = "not in nd4py"
SPARSE = "nd4py has no sparse arrays: SciPy has"
SCIPY = "not in nd4py: SciPy's function takes its arrays"
EAGER = "not needed: there is no state that switches gradients on"

TORCH = {
    "tensor as_tensor from_numpy": "`nd.array(data)` copies, `nd.asarray(data)` shares memory where it can",
    "chunk tensor_split": "`nd.array_split(x, 3, axis=0)`",
    "compile": "not needed ([chains](../chains.md)); `nd.capture(f)`",
    "cond": "Python's `if`",
    "enable_grad no_grad inference_mode is_grad_enabled is_inference_mode_enabled is_inference": EAGER,
    "get_default_device get_device_module": '`nd.set_default_device("cuda:0")` sets it',
    "manual_seed seed initial_seed": "`nd.random.seed(1)`, `nd.random.Generator(1)`",
    "get_rng_state set_rng_state": "`nd.random.get_state`, `nd.random.set_state`",
    "rand rand_like": "`nd.random.uniform(size=(2, 3))`",
    "randn randn_like normal": "`nd.random.normal(size=(2, 3))`",
    "randint randint_like": "`nd.random.integers(0, 10, size=5)`",
    "randperm": "`nd.random.permutation(10)`",
    "bernoulli": "`nd.random.bernoulli`",
    "multinomial": "`nd.random.categorical`, `nd.random.choice`",
    "poisson": "`nd.random.poisson`",
    "autocast GradScaler": '`dtype="float16"` of a network, which scales its loss',
    "get_num_threads set_num_threads": "`nd.thread_count()`, `with nd.threads(2):`",
    "get_default_dtype set_default_tensor_type": "float64; say `dtype=`",
    "is_tensor": "`isinstance(x, nd.NDArray)`",
    "is_complex is_floating_point": '`nd.isdtype(x.dtype, "complex floating")`, `"real floating"`',
    "Stream Event": "`nd.cuda.Stream`, `nd.cuda.Event`",
    "OutOfMemoryError AcceleratorError": "`MemoryError`, `nd.cuda.DeviceOutOfMemory`, `nd.cuda.DeviceError`",
    "addmm addbmm baddbmm addmv addr": "`c + a @ b`",
    "addcmul addcdiv": "`c + a * b`, `c + a / b`: one pass ([chains](../chains.md))",
    "mm bmm mv chain_matmul": "`a @ b`; `nd.linalg.multi_dot` chooses the order",
    "ger": "`nd.outer`",
    "adjoint": "`nd.conj(x.mT)`",
    "aminmax": "`nd.min(x)`, `nd.max(x)`",
    "as_strided": "`nd.lib.stride_tricks.as_strided`",
    "avg_pool1d": "`nd.avg_pool2d` with a height of 1",
    "adaptive_avg_pool1d": "the mean over windows of your size",
    "conv1d conv_transpose1d conv_tbc": "`nd.conv2d`, `nd.conv_transpose2d` with a height of 1; `nn.Convolution1D`",
    "bartlett_window blackman_window hamming_window hann_window kaiser_window": "`nd.bartlett(n)`, `nd.blackman(n)`, "
    "`nd.hamming(n)`, `nd.hanning(n)`, `nd.kaiser(n, b)`: symmetric ones",
    "bilinear": '`nd.einsum("bi,oij,bj->bo", x, w, y)`',
    "block_diag": "zeros, and an assignment for each block",
    "broadcast_tensors": "`nd.broadcast_arrays(x, y)`",
    "bucketize": "`nd.digitize`, `nd.searchsorted`",
    "cartesian_prod combinations": "`nd.meshgrid`; `itertools` for short ones",
    "cat": "`nd.concat([x, y], axis=0)`",
    "cdist pdist pairwise_distance dist": "`nd.linalg.norm(x[:, None] - y, axis=-1)`",
    "channel_shuffle pixel_shuffle pixel_unshuffle": "`x.reshape` and `x.transpose`; "
    "`nn.DepthToSpaceLayer`, `nn.SpaceToDepthLayer`",
    "cholesky": "`nd.linalg.cholesky`",
    "cholesky_inverse cholesky_solve": "`nd.linalg.inv`, `nd.linalg.solve`",
    "triangular_solve lu_solve lu_unpack geqrf orgqr ormqr": "`nd.linalg.solve`, `nd.linalg.qr`",
    "clamp": "`nd.clip(x, 0, 1)`",
    "clone": "`x.copy()`",
    "complex polar": "`a + 1j * b`, `r * nd.exp(1j * angle)`",
    "conj_physical resolve_conj resolve_neg is_conj": "`nd.conj`; nothing is lazy about it",
    "cosine_similarity": "`nd.vecdot(x, y)` by the norms",
    "cummax cummin logcumsumexp": "`nd.cumulative_max`, `nd.cumulative_min`, `nd.log_cumulative_sum_exp`",
    "cumulative_trapezoid trapz": "`nd.trapezoid`; `nd.cumsum` of the means",
    "det logdet slogdet": "`nd.linalg.det`, `nd.linalg.slogdet`",
    "diag_embed diagonal_scatter": "`nd.eye(n) * x[..., None]`, `nd.fill_diagonal`",
    "div mul sub neg": "`x / y`, `x * y`, `x - y`, `-x`",
    "eq ne gt ge lt le": "`x == y`, `x != y`, `x > y`, `x >= y`, `x < y`, `x <= y`",
    "empty_permuted empty_strided": '`nd.empty(shape, order="F")`',
    "erfinv digamma polygamma lgamma mvlgamma igamma igammac xlogy": SCIPY,
    "flatten": "`x.ravel()`, `x.reshape(len(x), -1)`",
    "unflatten": "`x.reshape`",
    "from_file": "`nd.memmap`, `nd.fromfile`",
    "gather take_along_dim": "`nd.take_along_axis(x, index, axis=1)`",
    "scatter": "`nd.put_along_axis(x, index, values, axis=1)`",
    "scatter_add index_reduce scatter_reduce": "`nd.index_add`",
    "select_scatter slice_scatter as_strided_scatter": "`x[index] = y` in a copy",
    "index_select narrow": "`nd.take(x, index, axis=1)`, `x[:, 2:5]`",
    "masked_select": "`x[mask]`",
    "nonzero_static": "`nd.nonzero`",
    "hardshrink": "`nd.hard_shrink`",
    "prelu": "`nd.where(x > 0, x, a * x)`, `nn.PReLULayer`",
    "histc": "`nd.histogram`",
    "inverse pinverse": "`nd.linalg.inv`, `nd.linalg.pinv`",
    "qr svd lobpcg": "`nd.linalg.qr`, `nd.linalg.svd`, `nd.linalg.eigh`",
    "matrix_power": "`nd.linalg.matrix_power`",
    "matrix_exp": SCIPY,
    "stft istft": "windows by `nd.lib.stride_tricks.sliding_window_view`, and `nd.fft.rfft`",
    "kthvalue": "`nd.partition`",
    "mode": "`nd.unique_counts`",
    "msort": "`nd.sort(x, axis=0)`",
    "movedim swapdims": "`nd.moveaxis`, `nd.swapaxes`",
    "norm renorm": "`nd.linalg.norm`; `nn.MaxNormConstraint`",
    "numel": "`x.size`",
    "permute t": "`x.transpose(2, 0, 1)`, `x.T`",
    "range": "`nd.arange`",
    "repeat_interleave": "`nd.repeat(x, 3)`",
    "sgn": "`nd.sign`",
    "std_mean var_mean": "`nd.std` and `nd.mean`",
    "unbind": "`nd.unstack(x)`, or a loop",
    "unique_consecutive": "`x[nd.concat([[True], x[1:] != x[:-1]])]`",
    "unsafe_chunk unsafe_split": "`nd.array_split`",
    "unsqueeze": "`nd.expand_dims(x, axis=0)`, `x[None]`",
    "view_as_complex view_as_real": '`x.view("complex64")`, `x.view("float32")`',
    "use_deterministic_algorithms are_deterministic_algorithms_enabled set_deterministic_debug_mode "
    "get_deterministic_debug_mode is_deterministic_algorithms_warn_only_enabled": "results are always the same",
    "get_float32_matmul_precision set_float32_matmul_precision": "float32 is computed in float32",
    "set_flush_denormal get_num_interop_threads set_num_interop_threads set_warn_always is_warn_always_enabled "
    "fork wait typename is_storage is_nonzero thread_safe_generator hash_tensor": NONE,
}
TENSOR = {
    "backward grad grad_fn is_leaf requires_grad retain_grad retains_grad register_hook "
    "register_post_accumulate_grad_hook output_nr": "`nd.grad(f)`, `nd.value_and_grad(f)`: functions have gradients",
    "H mH": "`nd.conj(x.T)`, `nd.conj(x.mT)`",
    "bfloat16 bool byte char cdouble cfloat chalf double float half int long short type type_as": ""
    '`x.astype("float32")` and its like',
    "contiguous": "`nd.ascontiguousarray(x)`",
    "cpu cuda to": '`x.to_device("cpu")`, `x.to_device("cuda:0")`, `x.astype(dtype)`',
    "data data_ptr const_data_ptr": "`x`, `x.address`",
    "detach": "`nd.stop_gradient(x)`; nd4py's `x.detach()` takes an array out of a workspace",
    "dim ndimension nelement": "`x.ndim`, `x.size`",
    "element_size": "`x.itemsize`",
    "expand expand_as": "`nd.broadcast_to(x, shape)`",
    "is_cpu is_cuda get_device": "`x.device`",
    "is_contiguous": "`x.is_contiguous`",
    "new new_empty new_full new_ones new_tensor new_zeros": "`nd.empty`, `nd.full`, `nd.ones`, `nd.array`, `nd.zeros`",
    "numpy": "`x.to_numpy()`, `numpy.asarray(x)`",
    "pin_memory is_pinned": "not needed",
    "record_stream": "`nd.cuda.Stream`",
    "repeat": "`nd.tile(x, (3, 1))`; here `x.repeat(3)` repeats elements",
    "reshape_as view_as": "`x.reshape(y.shape)`",
    "stride storage_offset": "`x.strides`, in bytes",
    "sum_to_size": "`x.sum(axis=...)`",
    "unfold": "`nd.lib.stride_tricks.sliding_window_view`",
    "view": "`x.reshape(2, -1)`; `x.view(dtype)` as in NumPy",
    "size": "`x.shape`, `x.shape[0]`; here `x.size` is the number of elements",
}
SPECIAL = {
    "expit": "`nd.sigmoid`",
    "xlogy xlog1py entr": "`nd.where(x == 0, 0, x * nd.log(y))`",
    "erfinv": SCIPY,
}
LINALG = {
    "inv_ex cholesky_ex solve_ex": "`nd.linalg.inv`, `nd.linalg.cholesky`, `nd.linalg.solve`: they raise an error",
    "solve_triangular lu lu_factor lu_factor_ex lu_solve ldl_factor ldl_factor_ex ldl_solve householder_product": SCIPY,
    "matrix_exp": SCIPY,
    "vander": "`nd.vander`",
}
FUNCTIONAL = {
    "binary_cross_entropy_with_logits": '`nd.softplus(x) - x * y`; of networks `loss="xent"`',
    "ctc_loss": "`nn.CTCLoss`",
    "mse_loss l1_loss": "`nd.squared_error`, `nd.absolute_error`, and their mean",
    "nll_loss": "`-nd.mean(nd.take_along_axis(log_p, labels[:, None], axis=1))`",
    "kl_div": "`nd.kl_divergence`: of probabilities",
    "poisson_nll_loss": "`nd.poisson_loss`",
    "smooth_l1_loss": "`nd.huber_loss`",
    "hinge_embedding_loss soft_margin_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss "
    "margin_ranking_loss triplet_margin_loss triplet_margin_with_distance_loss cosine_embedding_loss "
    "gaussian_nll_loss": "a few operations; `nd.hinge`, `nd.squared_hinge`",
    "linear": "`x @ w + b`, weights (inputs, outputs)",
    "linear_cross_entropy": "`nd.cross_entropy` of `x @ w`",
    "embedding embedding_bag": "`w[index]`; `nn.EmbeddingLayer`",
    "normalize": "`x / nd.linalg.norm(x, axis=1, keepdims=True)`",
    "batch_norm instance_norm group_norm local_response_norm": "`nn.BatchNormalization`, "
    "`nn.GroupNormalization`, `nn.LocalResponseNormalization`",
    "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout": "`dropout=` of a layer, `nn.Dropout`, "
    "`nn.SpatialDropout`, `nn.AlphaDropout`",
    "hardsigmoid hardswish hardtanh softshrink tanhshrink logsigmoid silu rrelu "
    "threshold": "`nd.clip(x / 6 + 0.5, 0, 1)`, "
    "`nd.hard_swish`, `nd.hard_tanh`, `nd.soft_shrink`, `x - nd.tanh(x)`, `nd.log_sigmoid`, `nd.swish`, "
    "`nn.RReLU`, `nd.threshold_relu`",
    "glu softmin gumbel_softmax": "`a * nd.sigmoid(b)`, `nd.softmax(-x)`, `nd.random.gumbel` and `nd.softmax`",
    "interpolate upsample upsample_bilinear upsample_nearest": "`nn.Upsampling2D` repeats pixels",
    "grid_sample affine_grid": SCIPY,
    "fold unfold": "`nd.lib.stride_tricks.sliding_window_view`",
    "max_pool1d lp_pool1d lp_pool2d lp_pool3d": '`nd.max_pool2d` with a height of 1; `nn.SubsamplingLayer("pnorm")`',
    "scaled_dot_product_attention": "`nd.dot_product_attention`, `nn.MultiHeadAttention`",
    "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d": "`nd.mean`, "
    "`nd.max` where one value is left; `nn.GlobalPoolingLayer`",
}
LAYERS = {
    "Linear LazyLinear": "`nn.DenseLayer`",
    "Conv1d Conv2d Conv3d LazyConv1d LazyConv2d LazyConv3d": "`nn.Convolution1D`, `nn.ConvolutionLayer`, "
    "`nn.Convolution3D`",
    "ConvTranspose2d ConvTranspose3d LazyConvTranspose2d LazyConvTranspose3d": "`nn.Deconvolution2D`, "
    "`nn.Deconvolution3D`",
    "MaxPool1d MaxPool2d MaxPool3d AvgPool1d AvgPool2d AvgPool3d LPPool1d LPPool2d "
    "LPPool3d": "`nn.Subsampling1DLayer`, `nn.SubsamplingLayer`, `nn.Subsampling3DLayer`",
    "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d "
    "AdaptiveMaxPool3d": "`nn.GlobalPoolingLayer`, where one value is left",
    "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm": ""
    "`nn.BatchNormalization`",
    "LayerNorm RMSNorm GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d "
    "LazyInstanceNorm3d": "`nn.LayerNormalization`, `nn.RMSNormalization`, `nn.GroupNormalization` (a group for each "
    "channel is an instance's)",
    "LocalResponseNorm": "`nn.LocalResponseNormalization`",
    "RNN LSTM GRU RNNCell LSTMCell GRUCell RNNBase": "`nn.SimpleRnn`, `nn.LSTM`, `nn.GRU`, "
    "`nn.Bidirectional`; one step is `net.rnn_time_step`",
    "Embedding EmbeddingBag": "`nn.EmbeddingLayer`, `nn.EmbeddingSequenceLayer`",
    "MultiheadAttention Transformer TransformerEncoder TransformerEncoderLayer": "`nn.MultiHeadAttention`, "
    "`nn.TransformerEncoderLayer`, `zoo.TransformerEncoder`",
    "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout": "`dropout=` of a layer, "
    "`nn.DropoutLayer`, `nn.SpatialDropout`, `nn.AlphaDropout`",
    "PReLU": "`nn.PReLULayer`",
    "ReLU ReLU6 SELU CELU ELU GELU SiLU Mish Sigmoid Tanh Tanhshrink Softplus Softsign Softmax Softmax2d LogSoftmax "
    "LogSigmoid Softshrink Hardshrink Hardsigmoid Hardswish Hardtanh Threshold Identity": '`activation="relu"` of a '
    "layer, `nn.ActivationLayer`; names in `nn.ACTIVATIONS`",
    "LeakyReLU RReLU": "`nn.LeakyReLU`, `nn.RReLU`",
    "Sequential ModuleList ModuleDict Flatten Unflatten": "the list of `nn.MultiLayerNetwork`, the dict of "
    "`nn.ComputationGraph`; shapes are changed where needed",
    "Module Parameter ParameterList ParameterDict Buffer UninitializedParameter UninitializedBuffer": "`nn.Layer`, "
    "`nn.WeightedLayer`, `nn.Parameter` ([adding a layer](../development/adding-a-layer.md))",
    "CrossEntropyLoss NLLLoss LinearCrossEntropyLoss": '`loss="sparse_mcxent"` with softmax',
    "BCELoss BCEWithLogitsLoss": '`loss="xent"` with sigmoid',
    "MSELoss L1Loss PoissonNLLLoss KLDivLoss": '`loss="mse"`, `"mae"`, `"poisson"`, `"kl_divergence"`',
    "HuberLoss SmoothL1Loss CTCLoss": "`nn.HuberLoss`, `nn.CTCLoss`",
    "Upsample UpsamplingNearest2d": "`nn.Upsampling1D`, `nn.Upsampling2D`, `nn.Upsampling3D`",
    "ZeroPad1d ZeroPad2d ZeroPad3d": "`nn.ZeroPadding1DLayer`, `nn.ZeroPaddingLayer`, `nn.ZeroPadding3DLayer`",
    "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d "
    "ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d "
    "ReplicationPad3d": "`nd.pad` in a `nn.LambdaLayer`",
    "PixelShuffle PixelUnshuffle": "`nn.DepthToSpaceLayer`, `nn.SpaceToDepthLayer`",
    "DataParallel": "`parallel.ParallelWrapper`",
}
INIT = {
    "xavier_normal_ xavier_uniform_ kaiming_normal_ kaiming_uniform_ orthogonal_ trunc_normal_ normal_ uniform_ ones_ "
    "zeros_ constant_ eye_": '`weight_init="xavier"`, `"xavier_uniform"`, `"he_normal"`, `"he_uniform"`, '
    "`nn.Orthogonal`, "
    "`nn.TruncatedNormal`, `nn.Normal`, `nn.Uniform`, `nn.Constant`; names in `nn.INITIALIZERS`",
}
OPTIM = {
    "SGD": "`nn.Sgd`, with momentum `nn.Nesterovs`",
    "Adam": "`nn.Adam`; ND4J's epsilon stands outside of the correction",
    "AdamW": "`nn.AdamW`",
    "Adagrad Adadelta Adamax NAdam RMSprop Adafactor": "`nn.AdaGrad`, `nn.AdaDelta`, `nn.AdaMax`, `nn.Nadam`, "
    "`nn.RmsProp`, `nn.AdaFactor`",
    "Optimizer": "`nn.Updater`",
}
SCHEDULES = {
    "StepLR MultiStepLR": "`nn.StepSchedule`, `nn.MapSchedule`",
    "ExponentialLR PolynomialLR CosineAnnealingLR OneCycleLR CyclicLR ConstantLR": "`nn.ExponentialSchedule`, "
    "`nn.PolySchedule`, `nn.CosineSchedule`, `nn.OneCycleSchedule`, `nn.CycleSchedule`, `nn.FixedSchedule`",
    "LinearLR SequentialLR ChainedScheduler": "`nn.RampSchedule`, `nn.WarmupSchedule` before another one",
    "LambdaLR MultiplicativeLR LRScheduler": "a class of yours from `nn.Schedule`",
}
DATA = {
    "DataLoader": "`data.ArrayDataSetIterator`, `data.ViewDataSetIterator`, `data.AsyncDataSetIterator`",
    "Dataset TensorDataset StackDataset": "`data.DataSet`, `data.MultiDataSet`",
    "IterableDataset MapDataPipe IterDataPipe": "`data.DataSetIterator`, `data.ExistingDataSetIterator`",
    "ConcatDataset ChainDataset": "`data.DataSet.merge`, `data.JointDataSetIterator`",
    "Subset random_split": "`data.DataSet.get`, `data.DataSet.split_test_and_train`",
    "RandomSampler SequentialSampler SubsetRandomSampler BatchSampler Sampler": "`seed=` of an iterator; "
    "`data.SamplingDataSetIterator`",
    "default_collate default_convert": "`data.DataSet.merge`",
}
