"""`python -m simulated_phone` is `fingertip-phone`."""

from simulated_phone.command_line import main

main()
