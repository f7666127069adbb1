"""`python -m demotic` is the program `demotic`."""

from demotic.cli.main import main

if __name__ == "__main__":
    main()
