class Configuration:
    maximum_grid_size: int
    maximum_block_size: int
    combine_after: int

config: Configuration
