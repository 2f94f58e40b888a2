class Configuration:
    maximum_grid_size: int

config: Configuration
