"""Views with any strides: as_strided and sliding_window_view."""

from ..api.manipulation.striding import as_strided, sliding_window_view

__all__ = ["as_strided", "sliding_window_view"]
