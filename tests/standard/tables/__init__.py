"""What the standard says: its names, its rules of promotion, and its special cases."""
