"""An MCP server that needs nothing but Python: on standard input and output, or on a port."""

from __future__ import annotations

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

TOOLS = ("pid", "write", "remember", "recall", "die", "count", "noise", "sleep")
memory = ""


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(name: str, args: dict[str, Any], meta: dict[str, Any]) -> str:
    global memory  # noqa: PLW0603
    if name == "pid":
        return str(os.getpid())
    if name == "write":
        Path(args["path"]).write_text(args["text"])
        return "written"
    if name == "remember":
        memory = args["text"]
    if name == "die":
        print("my last words", file=sys.stderr, flush=True)
        os._exit(3)
    if name == "noise":
        print("not a message", flush=True)
    if name == "sleep":
        time.sleep(args["seconds"])
    for number in range(1, args.get("to", 0) + 1):
        params = {"progressToken": meta["progressToken"], "progress": number}
        send({"method": "notifications/progress", "params": params})
    return memory


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        info = {"name": "tiny", "version": "1.0"}
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        schema = {"type": "object"}
        return {"tools": [{"name": name, "inputSchema": schema} for name in TOOLS]}
    if method == "tools/call":
        text = call(params["name"], params.get("arguments", {}), params.get("_meta", {}))
        return {"content": [{"type": "text", "text": text}]}
    return None


def reply(request: dict[str, Any]) -> dict[str, Any] | None:
    if "id" not in request or "method" not in request:
        return None
    result = answer(request["method"], request.get("params") or {})
    if result is None:
        error = {"code": -32601, "message": "Method not found"}
        return {"id": request["id"], "error": error}
    return {"id": request["id"], "result": result}


class OverHttp(BaseHTTPRequestHandler):
    """The same over HTTP, without sessions and streams."""

    def do_POST(self) -> None:
        found = reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        body = json.dumps({"jsonrpc": "2.0", **found}).encode() if found else b""
        self.send_response(200 if found else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Asked", f"{self.path} {self.headers['Host']}")
        self.send_header("X-Token", str(self.headers["Authorization"]))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.send_error(405)


if len(sys.argv) > 1:
    HTTPServer(("127.0.0.1", int(sys.argv[1])), OverHttp).serve_forever()
for line in sys.stdin:
    found = reply(json.loads(line))
    if found is not None:
        send(found)
