"""The documentation site: pages of docs/ and docs/notebooks/, and reference pages made from the code.

python -m docs.site

builds it in build/site, without the network; the result works from the file system.
"""
