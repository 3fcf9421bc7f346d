"""`python -m natural9` is the same as the `natural9` command."""

from natural9.cli.main import main

if __name__ == "__main__":
    main()
