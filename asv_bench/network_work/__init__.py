"""What `sequences.py` and `inference_peers.py` compare, and how the libraries take turns."""
