"""A good call of everything public of data: `DATA[label]()` is the call."""

import PIL.Image
import pyarrow
import pyarrow.parquet
from public_calls import call, of, saved, x

import nd4py as nd
from nd4py import data


def prefixed(name, calls):
    """The calls with `name` before theirs."""
    return {f"{name}.{method}": make for method, make in calls.items()}


def examples():
    """A few, for the network."""
    return data.DataSet(x(6, 4) / 24.0, nd.asarray([[1.0, 0.0], [0.0, 1.0]] * 3))


def batches():
    """An iterator over two batches."""
    return data.ViewDataSetIterator(examples(), 3)


def fitted(make):
    """A normalizer that has seen examples."""
    result = make()
    result.fit(examples())
    return result


def normalizer_file(make):
    """A normalizer that was saved."""
    return saved(f"{make.__name__}.json", fitted(make).save)


def idx_file():
    """Bytes of an IDX file of three numbers."""
    return saved("numbers.idx", lambda path: path.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3])))


def of_normalizer(make):
    """The calls of a normalizer's methods."""
    return of(
        lambda: fitted(make),
        fit=lambda: (examples(),), from_json=lambda: (fitted(make).to_json(),), load=lambda: (normalizer_file(make),),
        save=lambda: ("normalizer_saved.json",), revert=lambda: (examples(),), transform=lambda: (examples(),),
        revert_features=lambda: (x(3, 4),), transform_features=lambda: (x(3, 4),),
        revert_labels=lambda: (x(3, 2),), transform_labels=lambda: (x(3, 2),),
    )  # fmt: skip


def composite():
    """Two normalizers as one."""
    return data.CompositeNormalizer([data.NormalizerMinMaxScaler(), data.NormalizerStandardize()])


def of_image_means():
    """The calls of the methods of a normalizer of images."""

    def images():
        return data.DataSet(nd.ones((2, 3, 4, 4)), x(2, 2))

    return of(
        data.VGG16ImagePreProcessor, fit=lambda: (images(),), revert=lambda: (images(),), transform=lambda: (images(),),
        from_json=lambda: (data.VGG16ImagePreProcessor().to_json(),), save=lambda: ("means.json",),
        load=lambda: (saved("means_loaded.json", data.VGG16ImagePreProcessor().save),),
        revert_features=lambda: (nd.ones((2, 3, 4, 4)),), transform_features=lambda: (nd.ones((2, 3, 4, 4)),),
        revert_labels=lambda: (x(3, 2),), transform_labels=lambda: (x(3, 2),),
    )  # fmt: skip


def of_pre_processor(make, features, labels):
    """The calls of the methods of a preprocessor of features and labels."""
    both = data.DataSet(features, labels)
    name = f"{make().type_tag.lower()}.json"
    return of(
        make, transform=lambda: (both,), transform_features=lambda: (features,), transform_labels=lambda: (labels,),
        from_json=lambda: (make().to_json(),), save=lambda: (name,),
        load=lambda: (saved(f"loaded_{name}", make().save),),
    )  # fmt: skip


def balancing():
    """Under-sampling of sequences of three steps."""
    return data.UnderSamplingByMaskingPreProcessor(0.5, 2)


def cropping():
    """A part of images, smaller."""
    return data.CropAndResizeDataSetPreProcessor(0, 1, 3, 2, 2, 2)


def of_multi_normalizer():
    """The calls of the methods of a normalizer for each array."""
    both = data.MultiDataSet([x(6, 4)], [x(6, 2)])

    def made():
        return data.MultiNormalizer([data.NormalizerStandardize()], [data.NormalizerMinMaxScaler()]).fit(both)

    return of(
        made, fit=lambda: (both,), from_json=lambda: (made().to_json(),), revert=lambda: (both,),
        load=lambda: (saved("multi.json", lambda path: made().save(path)),), save=lambda: ("multi_saved.json",),
        transform=lambda: (both,), transform_features=lambda: ([x(3, 4)],), revert_features=lambda: ([x(3, 4)],),
        transform_labels=lambda: ([x(3, 2)],), revert_labels=lambda: ([x(3, 2)],),
    )  # fmt: skip


ROWS = [[0.5, 1.0, "a"], [2.0, 3.0, "b"]]


def records():
    """A reader of two rows of numbers and a class."""
    return data.CollectionRecordReader(ROWS, ["x", "y", "kind"])


def titles():
    """A reader of a title for each class of `records`."""
    return data.CollectionRecordReader([["a", "one"], ["b", "two"]], ["kind", "title"])


def text_file(name, text):
    """A file with this text."""
    return saved(name, lambda path: path.write_text(text))


def parquet_file():
    """A table of two rows."""
    return saved("rows.parquet", lambda path: pyarrow.parquet.write_table(pyarrow.table({"x": [1, 2]}), path))


def image_file():
    """A small image."""
    return saved("image.png", PIL.Image.new("RGB", (4, 3)).save)


def of_reader(make):
    """The calls of a reader's methods."""
    return of(make, tables=lambda: (1,), classes=lambda: (0,))


def csv_records():
    """A reader of a CSV file."""
    return data.CSVRecordReader(text_file("rows.csv", "x,y\n1,2\n"))


RECORDS = {
    "CollectionRecordReader": lambda: call(data.CollectionRecordReader, ROWS, ["x", "y", "kind"]),
    "CSVRecordReader": lambda: call(
        data.CSVRecordReader, text_file("rows.csv", "x,y\n1,2\n"), header=True, names=["x", "y"], skip_lines=0,
        delimiter=",", quote='"',
    ),
    "ImageRecordReader": lambda: call(data.ImageRecordReader, [image_file()], 3, 4, 3, label="folder", n_threads=1),
    "JsonLinesRecordReader": lambda: call(
        data.JsonLinesRecordReader, text_file("rows.jsonl", '{"x": 1}\n'), ["x"]
    ),
    "LineRecordReader": lambda: call(data.LineRecordReader, text_file("lines.txt", "one\ntwo\n")),
    "NumpyRecordReader": lambda: call(data.NumpyRecordReader, saved("x.npz", lambda path: nd.savez(path, x=x(3)))),
    "ParquetRecordReader": lambda: call(data.ParquetRecordReader, parquet_file(), ["x"]),
    "SVMLightRecordReader": lambda: call(
        data.SVMLightRecordReader, text_file("rows.svm", "1 1:2\n"), 3, is_zero_based=True
    ),
    "JoinedRecordReader": lambda: call(data.JoinedRecordReader, records(), titles(), "kind", "left"),
    "ReducedRecordReader": lambda: call(data.ReducedRecordReader, records(), "kind", {"x": ["sum", "last"]}),
    "WindowRecordReader": lambda: call(data.WindowRecordReader, records(), 2, 1),
    "find_files": lambda: call(data.find_files, image_file().parent, [".png"], is_recursive=False, seed=3),
    "RecordReaderDataSetIterator": lambda: call(
        data.RecordReaderDataSetIterator, records(), 2, "kind", classes=["a", "b"], features=["x"], seed=3,
        dtype="float64",
    ),
    "RecordReaderMultiDataSetIterator": lambda: call(
        data.RecordReaderMultiDataSetIterator, {"rows": records()}, 2, [("rows", ["x"])],
        [("rows", "kind", ["a", "b"])], seed=3, dtype="float64",
    ),
    "SequenceRecordReaderDataSetIterator": lambda: call(
        data.SequenceRecordReaderDataSetIterator, records(), 2, "kind", classes=["a", "b"], features=["x"],
        labels_reader=records(), alignment="equal", seed=3, dtype="float64",
    ),
    "Table": lambda: call(data.Table, {"x": x(2)}, "rows", None),
    "Texts": lambda: call(data.Texts, nd.asarray([0, 1]), ["a", "b"]),
    **prefixed("Texts", of(lambda: data.Texts.of(["a", "b"]), of=lambda: (["a", "b"],))),
    **prefixed("RecordReader", of_reader(records)),
    **prefixed("CSVRecordReader", of_reader(csv_records)),
    **prefixed("JoinedRecordReader", of_reader(lambda: data.JoinedRecordReader(records(), titles(), "kind"))),
    **prefixed("ReducedRecordReader", of_reader(lambda: data.ReducedRecordReader(records(), "kind", {"x": "sum"}))),
    **prefixed("WindowRecordReader", of_reader(lambda: data.WindowRecordReader(records(), 1))),
    **prefixed("ImageRecordReader", of_reader(lambda: data.ImageRecordReader([image_file()], 3, 4))),
    **prefixed("JsonLinesRecordReader", of_reader(
        lambda: data.JsonLinesRecordReader(text_file("rows.jsonl", '{"x": 1}\n'))
    )),
    **prefixed("LineRecordReader", of_reader(lambda: data.LineRecordReader(text_file("lines.txt", "one\n")))),
    **prefixed("NumpyRecordReader", of_reader(
        lambda: data.NumpyRecordReader(saved("x.npz", lambda path: nd.savez(path, x=x(3))))
    )),
    **prefixed("ParquetRecordReader", of_reader(lambda: data.ParquetRecordReader(parquet_file()))),
    **prefixed("SVMLightRecordReader", of_reader(
        lambda: data.SVMLightRecordReader(text_file("rows.svm", "1 1:2\n"), 3)
    )),
}  # fmt: skip


def process():
    """A process for the rows of `records`."""
    return data.TransformProcess({"x": "number", "y": "number", "kind": ["a", "b"]})


TRANSFORMS = {
    "ColumnAnalysis": lambda: call(data.ColumnAnalysis, 2, 0, 1.0, 2.0, 1.5, 0.5, None),
    "TransformProcess": lambda: call(data.TransformProcess, {"x": "number", "kind": ["a", "b"]}),
    "TransformProcess.from_one_hot": lambda: call(process().one_hot("kind").from_one_hot, "kind"),
    "analyze": lambda: call(data.analyze, records()),
    **prefixed("TransformProcess", of(
        process, keep=lambda: ("x", "kind"), remove=lambda: ("x",), reorder=lambda: ("kind",),
        rename=lambda: ({"x": "z"},), categorize=lambda: ("kind", ["a", "b"]), to_integer=lambda: ("kind",),
        one_hot=lambda: ("kind",), keep_rows=lambda: ("x", ">", 1), remove_rows=lambda: ("x", ">", 1),
        replace=lambda: ("x", ">", 1, 2), compute=lambda: ("x", "add", 1, "z"),
        normalize=lambda: ("x", data.analyze(records()), "min_max"), parse_time=lambda: ("kind", "%Y"),
        from_integer=lambda: ("x", ["p", "q"]),
        change_text=lambda: ("kind", "append", "s"), concatenate=lambda: (["kind", "kind"], "both", "-"),
        time_parts=lambda: ("x", "year"), reader=lambda: (records(), "kind", "x"),
        table=lambda: (next(records().tables()),), from_json=lambda: (process().to_json(),),
    )),
}  # fmt: skip


def images():
    """A batch of small images."""
    return data.DataSet(nd.ones((2, 1, 4, 4)), nd.ones((2, 2)))


def published(name, content):
    """The folder of a file with this content."""
    return saved(name, lambda path: path.write_bytes(content)).parent


def idx_files(prefix):
    """The folder of the IDX files of one image and its label."""
    published(f"{prefix}-labels-idx1-ubyte", bytes([0, 0, 8, 1, 0, 0, 0, 1, 1]))
    header = bytes([0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 28, 0, 0, 0, 28])
    return published(f"{prefix}-images-idx3-ubyte", header + bytes(784))


IMAGES = {
    "Augmentation": lambda: call(data.Augmentation, 1, True, True, 10.0, 0.1, 0.1, 2, 0.2),
    "Augmentation.applied": lambda: call(data.Augmentation(flip=True).applied, images(), 3),
    "AugmentingDataSetIterator": lambda: call(
        data.AugmentingDataSetIterator, data.ListDataSetIterator([images()]), data.Augmentation(), 3, n_threads=1
    ),
    "CifarDataSetIterator": lambda: call(
        data.CifarDataSetIterator, 1, False, 3, folder=published("test_batch.bin", bytes(3073)), n_classes=10
    ),
    "EmnistDataSetIterator": lambda: call(
        data.EmnistDataSetIterator, 1, False, 3, kind="digits", folder=idx_files("emnist-digits-test")
    ),
    "FashionMnistDataSetIterator": lambda: call(
        data.FashionMnistDataSetIterator, 1, False, 3, folder=idx_files("t10k")
    ),
    "UciSequenceDataSetIterator": lambda: call(
        data.UciSequenceDataSetIterator, 8, True, 3,
        path=text_file("charts.data", (" ".join(["30.5"] * 60) + "\n") * 600),
    ),
    "IrisDataSetIterator": lambda: call(
        data.IrisDataSetIterator, 1, 3, path=text_file("iris.data", "5.1,3.5,1.4,0.2,Iris-setosa\n")
    ),
}  # fmt: skip
DATA = {
    **IMAGES,
    **TRANSFORMS,
    **RECORDS,
    "DataSet": lambda: call(data.DataSet, x(3, 4), x(3, 2)),
    **prefixed("DataSet", of(
        examples, batch_by=lambda: (2,), get=lambda: ([1, 2],), merge=lambda: ([examples(), examples()],),
        shuffle=lambda: (3,), split_test_and_train=lambda: (2, 3), sample=lambda: (2, 3, True),
        save=lambda: ("examples.npz",), load=lambda: (saved("loaded.npz", examples().save),),
    )),
    "MultiDataSet": lambda: call(data.MultiDataSet, [x(3, 4)], [x(3, 2)]),
    **prefixed("MultiDataSet", of(
        lambda: data.MultiDataSet([x(6, 4)], [x(6, 2)]), batch_by=lambda: (2,), get=lambda: ([1, 2],),
        merge=lambda: ([data.MultiDataSet([x(6, 4)], [x(6, 2)])] * 2,), shuffle=lambda: (3,),
        split_test_and_train=lambda: (2, 3), sample=lambda: (2, 3, True), save=lambda: ("several.npz",),
        load=lambda: (saved("several_loaded.npz", data.MultiDataSet([x(6, 4)], [x(6, 2)]).save),),
    )),
    **prefixed("DataSetIterator", of(
        batches, set_state=lambda: (batches().state(),),
    )),
    "BenchmarkDataSetIterator": lambda: call(data.BenchmarkDataSetIterator, examples(), 2),
    "CachingDataSetIterator": lambda: call(data.CachingDataSetIterator, batches(), None),
    "DataSetIteratorSplitter": lambda: call(data.DataSetIteratorSplitter, batches(), [1, 1]),
    "EarlyTerminationDataSetIterator": lambda: call(data.EarlyTerminationDataSetIterator, batches(), 1),
    "ExistingDataSetIterator": lambda: call(data.ExistingDataSetIterator, [examples()]),
    "JointDataSetIterator": lambda: call(data.JointDataSetIterator, [batches(), batches()], "stop"),
    "KFoldIterator": lambda: call(data.KFoldIterator, examples(), 2, 3),
    "MultipleEpochsIterator": lambda: call(data.MultipleEpochsIterator, batches(), 2),
    "ReconstructionDataSetIterator": lambda: call(data.ReconstructionDataSetIterator, batches()),
    "SamplingDataSetIterator": lambda: call(data.SamplingDataSetIterator, examples(), 2, 2, 3),
    "WorkspaceShieldDataSetIterator": lambda: call(data.WorkspaceShieldDataSetIterator, batches()),
    "ViewDataSetIterator": lambda: call(data.ViewDataSetIterator, examples(), 2, 3),
    "ArrayDataSetIterator": lambda: call(data.ArrayDataSetIterator, x(6, 4), x(6, 2), 2, 3),
    "AsyncDataSetIterator": lambda: call(data.AsyncDataSetIterator, data.ListDataSetIterator([examples()]), 2),
    "AsyncShieldDataSetIterator": lambda: call(
        data.AsyncShieldDataSetIterator, data.ListDataSetIterator([examples()])
    ),
    "ListDataSetIterator": lambda: call(data.ListDataSetIterator, [examples()]),
    "DigitsDataSetIterator": lambda: call(data.DigitsDataSetIterator, 100, True, 3),
    "MnistDataSetIterator": lambda: call(data.MnistDataSetIterator, 100, True, 3, folder="."),
    "ImagePreProcessingScaler": lambda: call(data.ImagePreProcessingScaler, 0.0, 1.0, 8),
    "NormalizerMinMaxScaler": lambda: call(data.NormalizerMinMaxScaler, 0.0, 1.0),
    "read_idx": lambda: call(data.read_idx, idx_file()),
    **prefixed("NormalizerMinMaxScaler", of(data.NormalizerMinMaxScaler, fit_label=lambda: (True,))),
    **prefixed("NormalizerMinMaxScaler", of_normalizer(data.NormalizerMinMaxScaler)),
    **prefixed("NormalizerStandardize", of_normalizer(data.NormalizerStandardize)),
    **prefixed("ImagePreProcessingScaler", of_normalizer(data.ImagePreProcessingScaler)),
    "CompositeNormalizer": lambda: call(data.CompositeNormalizer, [data.NormalizerStandardize()]),
    **prefixed("CompositeNormalizer", of_normalizer(composite)),
    "VGG16ImagePreProcessor": lambda: call(data.VGG16ImagePreProcessor),
    **prefixed("VGG16ImagePreProcessor", of_image_means()),
    **prefixed(
        "DataSetPreProcessor",
        of_pre_processor(data.RGBtoGrayscaleDataSetPreProcessor, nd.ones((2, 3, 4, 4)), x(2, 2)),
    ),
    "RGBtoGrayscaleDataSetPreProcessor": lambda: call(data.RGBtoGrayscaleDataSetPreProcessor),
    **prefixed(
        "RGBtoGrayscaleDataSetPreProcessor",
        of_pre_processor(data.RGBtoGrayscaleDataSetPreProcessor, nd.ones((2, 3, 4, 4)), x(2, 2)),
    ),
    "PermuteDataSetPreProcessor": lambda: call(data.PermuteDataSetPreProcessor, (2, 1, 3)),
    **prefixed(
        "PermuteDataSetPreProcessor",
        of_pre_processor(data.PermuteDataSetPreProcessor, nd.ones((2, 3, 4, 4)), x(2, 2)),
    ),
    "CropAndResizeDataSetPreProcessor": lambda: call(data.CropAndResizeDataSetPreProcessor, 0, 1, 3, 2, 2, 2),
    **prefixed("CropAndResizeDataSetPreProcessor", of_pre_processor(cropping, nd.ones((2, 3, 4, 4)), x(2, 2))),
    "LabelLastTimeStepPreProcessor": lambda: call(data.LabelLastTimeStepPreProcessor),
    **prefixed(
        "LabelLastTimeStepPreProcessor",
        of_pre_processor(data.LabelLastTimeStepPreProcessor, x(2, 3, 4), nd.ones((2, 3, 1))),
    ),
    "UnderSamplingByMaskingPreProcessor": lambda: call(data.UnderSamplingByMaskingPreProcessor, 0.5, 2),
    **prefixed("UnderSamplingByMaskingPreProcessor", of_pre_processor(balancing, x(2, 3, 4), nd.ones((2, 3, 1)))),
    "MultiNormalizer": lambda: call(data.MultiNormalizer, [data.NormalizerStandardize()], [None]),
    **prefixed("MultiNormalizer", of_multi_normalizer()),
}  # fmt: skip
