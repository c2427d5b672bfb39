"""A window of Tk's widgets that says where each of them is; run inside a desk.

Usage: widgets.py FILE
"""

from __future__ import annotations

import json
import os
import sys
import tkinter as tk
from tkinter import ttk

TEXTS = ("Full name", "Street and number", "Postal code", "Country", "Telephone")
BUTTONS = ("Save record", "Discard", "Next page", "Help")
CHECKS = ("Send me news", "Remember this address", "Call before delivery")
RADIOS = ("Standard delivery", "Express", "Pick up in store")
LINES = ("Invoice 2041", "Invoice 2042", "Credit note 17", "Reminder", "Order 5530", "Order 5531")


class Form(tk.Tk):
    """The window."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.told: list[tuple[tk.Misc, str, str]] = []
        self.title("Customer record")
        self.attributes("-zoomed", True)
        self.build()
        self.bind("<Configure>", lambda _: self.after_idle(self.tell))

    def keep(self, widget: tk.Misc, kind: str, text: str) -> None:
        """Remember a widget to tell of: `kind` is empty for mere text."""
        self.told.append((widget, kind, text))

    def build(self) -> None:
        """Put everything in its place."""
        for row, text in enumerate(TEXTS):
            label = tk.Label(self, text=text)
            label.grid(row=row, column=0, sticky="w", padx=12, pady=6)
            self.keep(label, "", text)
            entry = ttk.Combobox(self, width=27) if text == "Country" else tk.Entry(self, width=30)
            entry.grid(row=row, column=1, padx=6, pady=6)
            self.keep(entry, "combo" if text == "Country" else "field", text)
        for row, text in enumerate(CHECKS):
            self.place_at(tk.Checkbutton(self, text=text), "checkbox", text, row, 2)
        chosen = tk.StringVar(self, RADIOS[0])
        for row, text in enumerate(RADIOS):
            button = tk.Radiobutton(self, text=text, value=text, variable=chosen)
            self.place_at(button, "radio", text, row, 3)
        for column, text in enumerate(BUTTONS):
            self.place_at(tk.Button(self, text=text), "button", text, 6, column)
        items = tk.Listbox(self, height=len(LINES), width=34)
        items.insert("end", *LINES)
        items.grid(row=7, column=0, columnspan=2, padx=12, pady=12)
        self.items = items
        self.place_at(tk.Spinbox(self, from_=1, to=99, width=6), "spinner", "", 7, 2)

    def place_at(self, widget: tk.Widget, kind: str, text: str, row: int, column: int) -> None:
        """Put one widget in a cell."""
        widget.grid(row=row, column=column, sticky="w", padx=12, pady=6)
        self.keep(widget, kind, text)

    def tell(self) -> None:
        """Write down where everything is now."""
        self.update_idletasks()
        runs, controls = [], []
        for widget, kind, text in self.told:
            box = box_of(widget)
            entered = kind in ("field", "combo", "spinner")
            if kind:
                said = {"label": text} if entered else {"text": text}
                controls.append({"kind": kind, "box": box, "boxed": kind == "button", **said})
            if text and not entered:
                runs.append({"text": text, "box": box, "owner": len(controls) - 1 if kind else -1})
        for number, line in enumerate(LINES):
            x, y, width, height = self.items.bbox(number) or (0, 0, 1, 1)
            left, top = self.items.winfo_rootx() + x, self.items.winfo_rooty() + y
            box = {"x": left, "y": top, "width": width, "height": height}
            runs.append({"text": line, "box": box})
        size = {"width": self.winfo_screenwidth(), "height": self.winfo_screenheight()}
        found = {"size": size, "runs": runs, "controls": controls}
        with open(self.path + ".new", "w") as file:  # noqa: PTH123 (as in any small script)
            json.dump(found, file)
        os.replace(self.path + ".new", self.path)  # noqa: PTH105


def box_of(widget: tk.Misc) -> dict[str, int]:
    """Where a widget is on the screen."""
    return {
        "x": widget.winfo_rootx(),
        "y": widget.winfo_rooty(),
        "width": widget.winfo_width(),
        "height": widget.winfo_height(),
    }


if __name__ == "__main__":
    Form(sys.argv[1]).mainloop()
