/* What is really to be seen in the viewport: an expression, evaluated in the page. */
(() => {
  const WIDTH = innerWidth, HEIGHT = innerHeight, MOST = 2500;
  const CONTROLS = [
    "a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary",
    "[contenteditable='']", "[contenteditable=true]", "[onclick]",
    ...["button", "link", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "checkbox",
      "radio", "switch", "combobox", "slider", "spinbutton", "option", "treeitem", "textbox",
      "searchbox"].map((role) => `[role=${role}]`),
  ].join(",");
  const INPUTS = {
    checkbox: "checkbox", radio: "radio", range: "slider", number: "spinner",
    password: "password", submit: "button", button: "button", reset: "button", image: "button",
  };
  const ROLES = {
    button: "button", link: "link", tab: "tab", menuitem: "menu item",
    menuitemcheckbox: "menu item", menuitemradio: "menu item", checkbox: "checkbox",
    radio: "radio", switch: "switch", combobox: "combo", slider: "slider", spinbutton: "spinner",
    option: "option", treeitem: "tree item", textbox: "field", searchbox: "field",
  };
  const REPLACED = new Set(["IMG", "CANVAS", "VIDEO", "IFRAME", "OBJECT", "EMBED"]);
  const PAINTED = new Set([...REPLACED, "INPUT", "TEXTAREA", "SELECT", "BUTTON", "svg"]);

  const styles = new Map();
  const css = (el) => styles.get(el) || styles.set(el, getComputedStyle(el)).get(el);
  const parent = (el) => el.parentElement || (el.getRootNode().host ?? null);
  const seen = (el) =>
    el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, opacityProperty: true });

  const cut = (a, b) => {
    const left = Math.max(a.left, b.left), top = Math.max(a.top, b.top);
    const right = Math.min(a.right, b.right), bottom = Math.min(a.bottom, b.bottom);
    return right > left && bottom > top ? { left, top, right, bottom } : null;
  };
  const area = (r) => (r.right - r.left) * (r.bottom - r.top);
  const screen = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT };

  /* The part of a rectangle of an element's that no ancestor cuts off. */
  const shown = (rect, from) => {
    let left = cut(rect, screen);
    let fixed = false;
    for (let el = from; el && left; el = parent(el)) {
      const style = css(el);
      if (!fixed && el !== document.documentElement && el !== document.body &&
          (style.overflowX !== "visible" || style.overflowY !== "visible")) {
        left = cut(left, el.getBoundingClientRect());
      }
      fixed = fixed || style.position === "fixed";
    }
    return left;
  };

  const alpha = (colour) => {
    const parts = colour.match(/[\d.]+/g) || [];
    return parts.length > 3 ? Number(parts[3]) : 1;
  };
  const covers = (el) => {
    const style = css(el);
    return seen(el) && (PAINTED.has(el.tagName) || alpha(style.backgroundColor) > 0.3 ||
      style.backgroundImage !== "none");
  };
  /* Whether the element, or something within it, is what one sees at a point. */
  const atop = (el, x, y) => {
    for (const other of el.getRootNode().elementsFromPoint(x, y)) {
      if (el === other || el.contains(other)) return true;
      if (other.contains(el) || covers(other)) return false;
    }
    return false;
  };
  const uncovered = (el, r) => {
    const across = [0.5, 0.15, 0.85].map((s) => r.left + s * (r.right - r.left));
    const down = [0.5, 0.2, 0.8].map((s) => r.top + s * (r.bottom - r.top));
    const points = [[0, 0], [1, 0], [2, 0], [0, 1], [0, 2]];
    const hits = points.filter(([i, j]) => atop(el, across[i], down[j])).length;
    return atop(el, across[0], down[0]) && hits >= 4;
  };

  const box = (r) => {
    const x = Math.round(r.left), y = Math.round(r.top);
    const width = Math.max(1, Math.round(r.right) - x);
    return { x, y, width, height: Math.max(1, Math.round(r.bottom) - y) };
  };

  const everything = [];
  const gather = (root) => {
    for (const el of root.querySelectorAll("*")) {
      everything.push(el);
      if (el.shadowRoot) gather(el.shadowRoot);
    }
  };

  /* Controls */
  const kindOf = (el) => {
    const role = el.getAttribute("role");
    if (ROLES[role]) return ROLES[role];
    switch (el.tagName) {
      case "A": return el.hasAttribute("href") ? "link" : "clickable";
      case "BUTTON": case "SUMMARY": return "button";
      case "SELECT": return el.multiple || el.size > 1 ? "list" : "combo";
      case "TEXTAREA": return "field";
      case "INPUT": return INPUTS[el.type] || "field";
    }
    return el.isContentEditable && !el.hasAttribute("onclick") ? "field" : "clickable";
  };
  const pointed = (el) => {
    if (el.tagName === "LABEL" || css(el).cursor !== "pointer") return false;
    const up = parent(el);
    return !up || css(up).cursor !== "pointer";
  };
  const boxed = (el) => {
    const style = css(el);
    const border = parseFloat(style.borderTopWidth) > 0 && parseFloat(style.borderLeftWidth) > 0 &&
      style.borderTopStyle !== "none" && alpha(style.borderTopColor) > 0.1;
    return border || alpha(style.backgroundColor) > 0.3 || style.backgroundImage !== "none";
  };
  const words = (text) => (text || "").replace(/\s+/g, " ").trim();
  const labelOf = (el) => {
    const labels = el.labels ? [...el.labels] : [];
    const by = (el.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
    for (const id of by) {
      const other = document.getElementById(id);
      if (other && !el.contains(other)) labels.push(other);
    }
    const told = labels.filter((one) => seen(one) && shown(one.getBoundingClientRect(), one));
    const text = (one) => {
      if (!one.contains(el)) return words(one.innerText);
      return words([...one.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(" "));
    };
    return told.length === 1 ? text(told[0]) : "";
  };
  const statesOf = (el) => {
    const states = [];
    if (el.checked || el.getAttribute("aria-checked") === "true") states.push("checked");
    if (el.disabled || el.getAttribute("aria-disabled") === "true") states.push("disabled");
    if (el.getAttribute("aria-selected") === "true") states.push("selected");
    return states;
  };
  const largest = (el) => {
    const rects = [...el.getClientRects()];
    return rects.sort((a, b) => area(b) - area(a))[0];
  };
  const bounds = (el) => {
    const style = css(el);
    const inline = style.display === "inline";
    const kids = [...el.children].filter((kid) => css(kid).display !== "inline" && seen(kid));
    // The box of an inline link around a picture is the line's, not the picture's.
    if (inline && kids.length === 1 && !words(el.innerText)) return kids[0].getBoundingClientRect();
    // One below the other they are a block; one that goes on at the next line's beginning is not.
    const rects = inline ? [...el.getClientRects()].filter((rect) => rect.width > 1) : [];
    const stacked = rects.every((rect) => rect.left < rects[0].right && rect.right > rects[0].left);
    return inline && !stacked ? largest(el) : el.getBoundingClientRect();
  };

  gather(document);
  const controls = [], owners = new Map(), ignored = [];
  // The page's own scroll bars are controls, but not of the page.
  const { clientWidth, clientHeight } = document.documentElement;
  if (clientWidth < WIDTH) ignored.push({ x: clientWidth, y: 0, width: WIDTH - clientWidth, height: HEIGHT });
  if (clientHeight < HEIGHT) ignored.push({ x: 0, y: clientHeight, width: WIDTH, height: HEIGHT - clientHeight });
  const hidden = (el, rect) => !rect || rect.width < 4 || rect.height < 4 || !seen(el);
  const take = (one, semantic) => {
    let el = one, rect = bounds(el);
    const kind = kindOf(el);
    if (["checkbox", "radio"].includes(kind) && hidden(el, rect) && el.labels?.length === 1) {
      // Drawn by its label, which is what one clicks at; a square beside that counts neither way.
      const drawn = rect && shown(rect, parent(el));
      if (drawn) ignored.push(box(drawn));
      [el] = el.labels;
      rect = bounds(el);
    }
    if (hidden(el, rect)) return;
    const part = shown(rect, parent(el));
    if (!part) return;
    if (area(part) < 0.6 * rect.width * rect.height || !uncovered(el, part)) {
      ignored.push(box(part));
      return;
    }
    if (!semantic && area(part) > 0.25 * WIDTH * HEIGHT) return;
    const text = kind === "field" || kind === "combo" || kind === "list" || el.tagName === "INPUT"
      ? "" : words(el.innerText);
    const value = el.tagName === "SELECT"
      ? words(el.selectedOptions[0]?.text) : words(typeof el.value === "string" ? el.value : "");
    for (const each of [el, one]) owners.set(each, controls.length);
    controls.push({
      kind, box: box(part), semantic, boxed: boxed(el),
      text: kind === "button" && el.tagName === "INPUT" ? words(el.value) : text,
      value: el.tagName === "BUTTON" || el.tagName === "LI" || kind === "button" ? "" : value,
      label: el === one ? labelOf(el) : "", placeholder: words(el.placeholder),
      hint: words(el.getAttribute("aria-label")),
      fallback: words(el.alt || el.querySelector?.("img[alt]")?.alt || el.title),
      // Its text is no text node: it cannot be hidden by itself.
      drawn: el.tagName === "INPUT", states: statesOf(one),
    });
  };
  for (const el of everything) {
    if (controls.length >= MOST) break;
    if (el.matches(CONTROLS)) take(el, true);
    else if (pointed(el) && !el.querySelector(CONTROLS)) take(el, false);
  }
  const ownerOf = (el) => {
    for (let at = el; at; at = parent(at)) if (owners.has(at)) return owners.get(at);
    return -1;
  };

  /* Pictures: not in the way, and not to be counted as text or as a mistake. */
  const pictures = [];
  const glyph = (text) => /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/u.test(text);
  const drawn = (el) => {
    if (REPLACED.has(el.tagName) || el.tagName === "svg") return true;
    const style = css(el);
    const small = el.offsetWidth <= 64 && el.offsetHeight <= 64;
    if (small && style.backgroundImage.includes("url(") && !words(el.innerText)) return true;
    return ["::before", "::after"].some((part) => {
      const pseudo = getComputedStyle(el, part);
      const image = pseudo.content !== "none" && small &&
        (pseudo.content + pseudo.backgroundImage + pseudo.maskImage).includes("url(");
      return image || glyph(pseudo.content);
    }) || (small && glyph(el.textContent || "") && !el.children.length);
  };
  for (const el of everything) {
    if (pictures.length >= MOST) break;
    if (!el.getClientRects().length || !seen(el) || !drawn(el)) continue;
    const rect = el.getBoundingClientRect();
    const part = rect.width >= 2 && rect.height >= 2 ? shown(rect, parent(el)) : null;
    if (part) pictures.push({ box: box(part), owner: ownerOf(el), replaced: REPLACED.has(el.tagName) });
  }

  /* Text, one run for each line of each text node. */
  const turn = (text, style) => {
    if (style.textTransform === "uppercase") return text.toUpperCase();
    if (style.textTransform === "lowercase") return text.toLowerCase();
    if (style.textTransform === "capitalize") {
      return text.replace(/(^|[\s(\-/])(\p{L})/gu, (_, gap, letter) => gap + letter.toUpperCase());
    }
    return text;
  };
  const SYMBOLS = /icon|awesome|symbol|glyph/i;
  const runs = [];
  const range = document.createRange();
  const labelled = (el) => {
    const control = el.closest("label")?.control;
    return control && owners.has(control) ? owners.get(control) : -1;
  };
  let blocks = 0;
  const read = (node) => {
    const el = node.parentElement;
    if (!el || !seen(el)) return;
    range.selectNodeContents(node);
    if (!cut(range.getBoundingClientRect(), screen)) return;
    const style = css(el);
    if (parseFloat(style.fontSize) < 5 || alpha(style.color) < 0.1) return;
    if (SYMBOLS.test(style.fontFamily.split(",")[0])) return;
    const whole = node.data.slice(0, 6000);
    const lines = [];
    for (let i = 0; i < whole.length; i += 1) {
      const code = whole.charCodeAt(i);
      const pair = code >= 0xd800 && code < 0xdc00 ? 1 : 0;
      range.setStart(node, i);
      range.setEnd(node, Math.min(whole.length, i + 1 + pair));
      i += pair;
      const rect = range.getClientRects()[0];
      const letter = range.toString();
      if (!rect || (!rect.width && letter.trim())) continue;
      const line = lines.at(-1);
      const same = line && Math.abs(rect.top - line.top) < rect.height / 2 && rect.left >= line.left - 1;
      if (same) {
        line.text += letter;
        if (letter.trim()) Object.assign(line, {
          right: Math.max(line.right, rect.right), bottom: Math.max(line.bottom, rect.bottom),
        });
      } else if (letter.trim() && rect.width) {
        lines.push({ text: letter, left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
      }
    }
    blocks += 1;
    for (const line of lines) {
      const text = words(line.text);
      if (!text || glyph(text)) continue;
      const part = shown(line, el);
      if (!part) continue;
      const whole = area(part) >= 0.9 * area(line) && uncovered(el, part);
      if (!whole) ignored.push(box(part));
      if (!atop(el, (part.left + part.right) / 2, (part.top + part.bottom) / 2)) continue;
      runs.push({
        text: turn(text, style), box: box(part), height: parseFloat(style.fontSize),
        block: blocks, whole, owner: ownerOf(el), labels: labelled(el),
      });
    }
  };
  const walk = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && runs.length < MOST) {
      const node = walker.currentNode;
      const name = node.parentElement?.tagName;
      if (/\S/.test(node.data) && !["SCRIPT", "STYLE", "NOSCRIPT", "OPTION", "TEXTAREA"].includes(name)) {
        read(node);
      }
    }
  };
  walk(document.body);
  for (const el of everything) if (el.shadowRoot) walk(el.shadowRoot);

  /* What is written on a control is what can be read on it; a name for the ear alone is a hint. */
  const written = new Map();
  for (const run of runs) {
    if (run.owner >= 0 && run.whole) written.set(run.owner, [...(written.get(run.owner) || []), run.text]);
  }
  controls.forEach((control, number) => {
    const text = control.drawn || !control.text
      ? control.text : (written.get(number) || []).join(" ");
    const hint = control.hint || (text ? "" : control.text) || control.fallback;
    Object.assign(control, { text, hint });
    delete control.drawn;
    delete control.fallback;
  });

  /* Tables with their headings. */
  const cellOf = (cell) => {
    const part = shown(cell.getBoundingClientRect(), parent(cell));
    const whole = part && area(part) > 0.8 * area(cell.getBoundingClientRect());
    return { text: words(cell.innerText), box: whole && uncovered(cell, part) ? box(part) : null };
  };
  const tables = [];
  for (const table of everything) {
    if (table.tagName !== "TABLE" || !seen(table) || table.querySelector("table, [rowspan], [colspan]")) continue;
    const rows = [...table.rows].filter((row) => row.getClientRects().length);
    const head = rows[0] && [...rows[0].cells].every((cell) => cell.tagName === "TH") ? rows[0] : null;
    const body = rows.filter((row) => row !== head && row.parentElement.tagName !== "TFOOT");
    if (!head || body.length < 2 || head.cells.length < 2) continue;
    tables.push({
      headings: [...head.cells].map((cell) => words(cell.innerText)),
      rows: body.slice(0, 60).map((row) => [...row.cells].map(cellOf)),
    });
  }
  return { size: { width: WIDTH, height: HEIGHT }, runs, controls, pictures, ignored, tables };
})()
