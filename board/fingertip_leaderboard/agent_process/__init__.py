"""An installed agent in a process of its own, which can read nothing but its packages and its inputs."""
