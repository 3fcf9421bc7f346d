"""What makes and checks a release: the build's hook, the bill of materials, and `make release` itself."""
