// Everything in a page that can be seen now, in the order of the document. Runs in a world of
// its own: no script of the page can change what the words below mean. Limits come from outside.
((most, longest) => {
  "use strict";
  const found = [];
  const numbers = new Map();

  const TAGS = {
    BUTTON: "push button", TEXTAREA: "entry", IMG: "image", CANVAS: "canvas", VIDEO: "video",
    SVG: "image", PROGRESS: "progress bar", METER: "level bar", SUMMARY: "push button",
    H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading",
    LABEL: "label", LI: "list item", TD: "table cell", TH: "column header", OPTION: "list item",
    DIALOG: "dialog", P: "paragraph", IFRAME: "internal frame",
  };
  const INPUTS = {
    button: "push button", submit: "push button", reset: "push button", image: "push button",
    file: "push button", color: "push button", checkbox: "check box", radio: "radio button",
    range: "slider", number: "spin button", password: "password text", hidden: null,
  };
  const ARIA = {
    button: "push button", link: "link", checkbox: "check box", radio: "radio button",
    switch: "switch", tab: "page tab", menuitem: "menu item", menuitemcheckbox: "check menu item",
    menuitemradio: "radio menu item", option: "list item", treeitem: "tree item",
    combobox: "combo box", listbox: "list box", slider: "slider", spinbutton: "spin button",
    textbox: "entry", searchbox: "entry", progressbar: "progress bar", img: "image",
    heading: "heading", gridcell: "table cell", cell: "table cell", columnheader: "column header",
    rowheader: "row header", listitem: "list item", dialog: "dialog", alertdialog: "dialog",
    alert: "alert", tooltip: "tool tip", menu: "menu", tree: "tree", scrollbar: "scroll bar",
  };
  const CONTROLS = new Set(["push button", "link", "check box", "radio button", "switch", "page tab",
    "menu item", "combo box", "list box", "slider", "spin button", "entry", "password text",
    "toggle button", "tree item", "check menu item", "radio menu item"]);

  const flat = (text) => (text || "").replace(/\s+/g, " ").trim().slice(0, longest);
  const own = (node) => flat([...node.childNodes].filter((n) => n.nodeType === 3)
    .map((n) => n.data).join(" "));

  function roleOf(node) {
    const said = (node.getAttribute("role") || "").trim().split(/\s+/)[0].toLowerCase();
    if (ARIA[said]) return pressed(node, ARIA[said]);
    const tag = node.tagName.toUpperCase();
    if (tag === "INPUT") return node.type in INPUTS ? INPUTS[node.type] : "entry";
    if (tag === "A") return node.hasAttribute("href") ? "link" : null;
    if (tag === "SELECT") return node.multiple || node.size > 1 ? "list box" : "combo box";
    if (TAGS[tag]) return pressed(node, TAGS[tag]);
    return node.isContentEditable && !(node.parentElement || {}).isContentEditable ? "entry" : null;
  }
  const pressed = (node, role) =>
    role === "push button" && node.hasAttribute("aria-pressed") ? "toggle button" : role;

  function byIds(node, attribute) {
    const ids = (node.getAttribute(attribute) || "").split(/\s+/).filter(Boolean).slice(0, 8);
    const root = node.getRootNode();
    return flat(ids.map((id) => (root.getElementById(id) || {}).textContent || "").join(" "));
  }
  function nameOf(node, role) {
    const told = byIds(node, "aria-labelledby") || flat(node.getAttribute("aria-label"));
    if (told) return told;
    if (node.labels && node.labels.length) {
      const texts = [...node.labels].slice(0, 4).map((label) => label.innerText).join(" ");
      if (flat(texts)) return flat(texts);
    }
    if (node.tagName === "INPUT" && ["push button"].includes(role)) {
      return flat(node.value || node.alt || {submit: "Submit", reset: "Reset"}[node.type]);
    }
    const shown = flat(node.alt) || (fillable(role) ? "" : flat(node.innerText));
    return shown || flat(node.getAttribute("title")) || flat(node.placeholder) || drawing(node);
  }
  const fillable = (role) => ["entry", "password text", "combo box", "list box", "slider",
    "spin button", "canvas", "internal frame"].includes(role);
  function drawing(node) {
    if (!node.querySelectorAll || fillable(roleOf(node))) return "";
    for (const inner of [node, ...[...node.querySelectorAll("*")].slice(0, 12)]) {
      const told = inner.alt || inner.getAttribute("aria-label") || inner.getAttribute("title")
        || (inner.tagName === "title" ? inner.textContent : "") || symbol(inner);
      if (flat(told)) return flat(told);
    }
    return "";
  }
  // Icon sets name their pictures in a class, an id of a sprite, or a file: fa-trash, #icon-trash,
  // trash.svg. Nothing else says what they show.
  const SETS = /^(?:fa|fas|far|fab|glyphicon|icon|icons|mdi|bi|ti|ion|la|ri|octicon|lucide|feather|uk-icon|nc-icon|tim-icons)-(?:solid-|regular-|ios-|md-)?([a-z][a-z0-9-]{1,30})$/;
  const LOOKS = /^(?:lg|sm|xs|[0-9]x|fw|spin|pulse|ul|li|border|inverse|stack.*|flip.*|rotate.*|bar|link|button|only)$/;
  function symbol(node) {
    for (const word of node.classList || []) {
      const match = SETS.exec(word);
      if (match && !LOOKS.test(match[1])) return match[1].replace(/-/g, " ");
    }
    const sprite = node.tagName === "use" && (node.getAttribute("href")
      || node.getAttribute("xlink:href") || "");
    const file = node.tagName === "IMG" && /^(?!data:)/.test(node.src) && node.src || "";
    const name = /(?:#|\/)([a-z][\w-]{2,30})(?:\.(?:svg|png|gif|webp|ico))?$/i.exec(sprite || file);
    return name ? name[1].replace(/^(?:icon|ic|i)[-_]/, "").replace(/[-_]+/g, " ") : "";
  }
  function valueOf(node, role) {
    if (role === "password text") return "•".repeat(Math.min(node.value.length, 64));
    if (node.tagName === "SELECT") {
      return flat([...node.selectedOptions].map((option) => option.label).join(", "));
    }
    if (["entry", "slider", "spin button", "progress bar", "level bar"].includes(role)) {
      const value = "value" in node && node.tagName !== "LI" ? String(node.value)
        : node.getAttribute("aria-valuenow") || (node.isContentEditable ? node.innerText : "");
      return value.slice(0, longest * 10);
    }
    return null;
  }
  function statesOf(node, role, focused) {
    const states = [];
    const is = (name) => node.getAttribute(`aria-${name}`) === "true";
    const off = node.matches(":disabled") || is("disabled");
    if (!off) states.push("enabled", "sensitive");
    states.push("visible", "showing");
    if (node === focused) states.push("focused");
    if (node.tabIndex >= 0 && !off) states.push("focusable");
    const ticks = ["check box", "radio button", "switch", "check menu item", "radio menu item"];
    if (ticks.includes(role)) states.push("checkable");
    if (node.checked && ticks.includes(role) || is("checked")) states.push("checked");
    if (node.indeterminate || node.getAttribute("aria-checked") === "mixed") {
      states.push("indeterminate");
    }
    if (is("selected") || node.tagName === "OPTION" && node.selected) states.push("selected");
    if (is("pressed")) states.push("pressed");
    if (is("expanded") || node.tagName === "SUMMARY" && node.parentElement.open) states.push("expanded");
    if (is("readonly") || node.readOnly) states.push("read only");
    else if ((role === "entry" || role === "password text") && !off) states.push("editable");
    if (node.required || is("required")) states.push("required");
    return states;
  }

  // The part of a box that is in the view of every frame and scrolled area around it.
  function shownPart(node, rect, view) {
    let [x0, y0, x1, y1] = [rect.left, rect.top, rect.right, rect.bottom];
    const clip = (box) => {
      x0 = Math.max(x0, box[0]); y0 = Math.max(y0, box[1]);
      x1 = Math.min(x1, box[2]); y1 = Math.min(y1, box[3]);
    };
    clip(view);
    for (let up = node.parentElement; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (up === up.ownerDocument.body || up === up.ownerDocument.documentElement) continue;
      const box = up.getBoundingClientRect();
      clip([box.left, box.top, box.right, box.bottom]);
    }
    return x1 - x0 >= 2 && y1 - y0 >= 2 ? [x0, y0, x1, y1] : null;
  }
  // The middle of a link that goes on at the beginning of the next line may be no part of it.
  function partOf(node, style) {
    const whole = node.getBoundingClientRect();
    const parts = style.display === "inline"
      ? [...node.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1) : [];
    const goesOn = parts.some((part) => part.top >= parts[0].bottom - 2
      && part.left < parts[0].left - 8);
    if (!goesOn) return whole;
    const seen = parts.filter((part) => part.bottom > 0 && part.top < innerHeight);
    return seen.sort((a, b) => b.width - a.width)[0] || whole;
  }
  // Not covered: at least one of five points belongs to it, or to what is in it or around it.
  function uncovered(node, box) {
    const root = node.getRootNode();
    const [w, h] = [box[2] - box[0], box[3] - box[1]];
    for (const [u, v] of [[0.5, 0.5], [0.15, 0.2], [0.85, 0.2], [0.15, 0.8], [0.85, 0.8]]) {
      const top = root.elementFromPoint(box[0] + w * u, box[1] + h * v);
      if (!top) continue;
      if (top === node || node.contains(top)) return true;
      if (top.contains(node) && getComputedStyle(node).pointerEvents === "none") return true;
      if (top.tagName === "LABEL" && top.control === node) return true;
    }
    return false;
  }

  function take(node, frame, parent, focused) {
    const style = getComputedStyle(node);
    if (style.visibility !== "visible" || style.opacity === "0") return parent;
    let role = roleOf(node);
    const text = own(node);
    const clickable = style.cursor === "pointer"
      && (!node.parentElement || getComputedStyle(node.parentElement).cursor !== "pointer");
    if (!role && clickable && !node.querySelector("a,button,input,select,textarea")) {
      role = "push button";
    }
    if (!role && text) role = "static";
    if (!role || found.length >= most) return parent;
    if (["paragraph", "list item", "label", "table cell"].includes(role) && !flat(node.innerText)) {
      return parent;
    }
    const rect = role === "link" ? partOf(node, style) : node.getBoundingClientRect();
    const box = shownPart(node, rect, frame.view);
    if (!box || !uncovered(node, box)) return parent;
    const [sx, sy] = frame.offset;
    found.push({
      role, parent, name: nameOf(node, role), value: valueOf(node, role),
      states: statesOf(node, role, focused), control: CONTROLS.has(role),
      box: [box[0] + sx, box[1] + sy, box[2] + sx, box[3] + sy],
    });
    return found.length - 1;
  }

  function walk(node, frame, parent, focused, depth) {
    if (depth > 200 || found.length >= most) return;
    if (["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD"].includes(node.tagName)) return;
    if (!node.getClientRects().length && getComputedStyle(node).display !== "contents") return;
    const number = take(node, frame, parent, focused);
    if (node.tagName === "IFRAME") return enter(node, frame, number, depth);
    if (node.tagName.toUpperCase() === "SVG" || node.tagName === "SELECT" && !node.multiple) return;
    const inside = node.shadowRoot ? node.shadowRoot : node;
    for (const child of inside.children) {
      if (child.tagName === "SLOT") {
        for (const given of child.assignedElements()) walk(given, frame, number, focused, depth + 1);
      } else walk(child, frame, number, (node.shadowRoot || {}).activeElement || focused, depth + 1);
    }
  }
  function enter(node, frame, parent, depth) {
    let inner = null;
    try { inner = node.contentDocument; } catch { return; }
    if (!inner || !inner.body) return;
    const rect = node.getBoundingClientRect();
    const [x, y] = [rect.left + node.clientLeft, rect.top + node.clientTop];
    const seen = shownPart(node, rect, frame.view);
    if (!seen) return;
    const view = [seen[0] - x, seen[1] - y, seen[2] - x, seen[3] - y];
    const offset = [frame.offset[0] + x, frame.offset[1] + y];
    walk(inner.body, {view, offset}, parent, inner.activeElement, depth + 1);
  }

  const size = [innerWidth, innerHeight];
  if (document.visibilityState === "visible" && document.body) {
    const frame = {view: [0, 0, ...size], offset: [0, 0]};
    walk(document.body, frame, -1, document.activeElement, 0);
  }
  return {
    visible: document.visibilityState === "visible", title: flat(document.title),
    url: location.href.slice(0, 2048), size, ratio: devicePixelRatio, screen: screen.width,
    window: [screenX, screenY, outerWidth, outerHeight], elements: found,
    complete: found.length < most,
  };
})
