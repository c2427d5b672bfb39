"""An MCP server on standard input and output that needs nothing but Python."""

from __future__ import annotations

import json
import os
import sys
import time
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


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request["method"], request.get("params") or {})
    if result is None:
        error = {"code": -32601, "message": "Method not found"}
        send({"id": request["id"], "error": error})
    else:
        send({"id": request["id"], "result": result})
