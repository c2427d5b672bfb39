"""Serves page.html, passes questions to it and its answers back: the page speaks for itself.

    python3 page_server.py PORT_FILE

`POST /ask` with a JavaScript expression answers what the page says it is worth, as JSON.
"""

from __future__ import annotations

import itertools
import json
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGE = Path(__file__).with_name("page.html")
ANSWER_SECONDS = 30

numbers = itertools.count(1)
questions: queue.SimpleQueue[str] = queue.SimpleQueue()
answers: dict[int, bytes] = {}
answered = threading.Condition()
visited: list[str] = []


def ask(expression: str) -> bytes | None:
    number = next(numbers)
    questions.put(json.dumps({"number": number, "expression": expression}))
    with answered:
        answered.wait_for(lambda: number in answers, ANSWER_SECONDS)
        return answers.pop(number, None)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/question":
            try:
                self._send(questions.get(timeout=20).encode())
            except queue.Empty:
                self._send(b"null")
        elif self.path == "/visited":
            self._send(json.dumps(visited).encode())
        elif self.path == "/":
            self._send(PAGE.read_bytes(), "text/html; charset=utf-8")
        else:
            visited.append(self.path)
            self._send(b"<title>visited</title>", "text/html")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/ask":
            answer = ask(body.decode())
            self._send(answer or b"", status=200 if answer is not None else 504)
            return
        with answered:
            answers[int(self.path.rpartition("/")[2])] = body
            answered.notify_all()
        self._send(b"")

    def _send(self, body: bytes, kind: str = "application/json", status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def main() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        target = Path(sys.argv[1])
        partial = target.with_suffix(".partial")
        partial.write_text(str(server.server_port))
        partial.replace(target)
        server.serve_forever()


if __name__ == "__main__":
    main()
