"""The device's side of ADB on a local TCP port: wire protocol, services, shell and its commands."""
