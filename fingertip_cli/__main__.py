"""Run the command line as a module: `torchrun` and `accelerate launch` start modules."""

from fingertip_cli.main import main

main()
