"""What `gpu_peers.py` compares: the rows of work, and the libraries that do it."""
