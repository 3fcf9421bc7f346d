"""The documentation site: the pages of docs/, those that follow from the code, and what checks them. `make docs`."""
