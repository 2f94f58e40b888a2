"""Objects that were detected in images."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import api as nd
from nd4py.api.arguments import instance


@dataclass(frozen=True)
class DetectedObject:
    """A box, in cells of the grid from the image's corner, and what is in it.  Raises nothing.

    center_x, center_y, width, height: of the box
    confidence: that there is an object; class_number: the most probable class; probabilities: of all classes

    >>> one, other = (nn.DetectedObject(x, 2.0, 2.0, 2.0, 0.9, 0, (1.0,)) for x in (1.0, 2.0))
    >>> one.overlap(other)
    0.3333333333333333
    """

    center_x: float
    center_y: float
    width: float
    height: float
    confidence: float
    class_number: int
    probabilities: tuple[float, ...]

    def overlap(self, other: DetectedObject) -> float:
        """The area of the intersection over that of the union.

        Returns a number from 0 to 1.  Raises TypeError for anything but a detected object.
        """
        instance("overlap: other", other, DetectedObject)
        common = _common(self.center_x, self.width, other.center_x, other.width)
        common *= _common(self.center_y, self.height, other.center_y, other.height)
        union = self.width * self.height + other.width * other.height - common
        return common / union if union > 0.0 else 0.0


def _common(center: float, size: float, other_center: float, other_size: float) -> float:
    """How much of two stretches they have in common."""
    low = max(center - size / 2, other_center - other_size / 2)
    return max(min(center + size / 2, other_center + other_size / 2) - low, 0.0)


def objects_of(boxes: nd.NDArray, threshold: float, overlap_threshold: float) -> list[DetectedObject]:
    """The objects in the boxes (B, 5 + C, height, width) of one example, without those that a better one covers."""
    found = []
    for box, row, column in nd.argwhere(boxes[:, 4] >= threshold).tolist():
        x, y, width, height, confidence, *probabilities = boxes[box, :, row, column].tolist()
        best = max(range(len(probabilities)), key=probabilities.__getitem__)
        found.append(DetectedObject(column + x, row + y, width, height, confidence, best, tuple(probabilities)))
    kept: list[DetectedObject] = []
    for each in sorted(found, key=lambda each: -each.confidence):
        rivals = (other for other in kept if other.class_number == each.class_number)
        if all(each.overlap(other) <= overlap_threshold for other in rivals):
            kept.append(each)
    return kept
