"""Runs inside a machine, for its process 1: prints what the machine's host says on a port."""

import socket
import sys

__all__ = ["main"]


def main() -> None:
    """Listen for as long as the machine lives."""
    listener = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    listener.bind((socket.VMADDR_CID_ANY, int(sys.argv[1])))
    listener.listen()
    while True:
        speaker, (who, _) = listener.accept()
        with speaker:
            # Nobody in the machine tells process 1 what to do.
            while who == socket.VMADDR_CID_HOST and (words := speaker.recv(4096)):
                sys.stdout.buffer.write(words)
                sys.stdout.flush()


if __name__ == "__main__":
    main()
