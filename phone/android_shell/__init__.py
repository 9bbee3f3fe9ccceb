"""Android's shell and tools on a file system in memory; knows no phone."""
