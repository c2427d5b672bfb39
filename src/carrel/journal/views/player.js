"use strict";
(() => {
  const story = JSON.parse(document.getElementById("run").textContent);
  const moments = story.moments;
  const SVG = "http://www.w3.org/2000/svg";
  let now = -1;
  let timer = 0;

  // Everything a run says goes through here, as text.
  function make(tag, className, text) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function shape(tag, className, facts, text) {
    const node = document.createElementNS(SVG, tag);
    node.setAttribute("class", className);
    for (const name in facts) node.setAttribute(name, facts[name]);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function clock(seconds) {
    const whole = Math.max(0, Math.round(seconds));
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }

  function header() {
    const run = story.run;
    const top = make("header");
    top.append(make("h1", "", run.task || run.id));
    const facts = make("dl");
    const rows = {
      run: run.id, model: run.model, status: run.reason && run.reason !== run.status ? `${run.status} (${run.reason})` : run.status,
      steps: run.steps, cost: run.cost, tokens: run.tokens, time: clock(run.seconds),
      started: run.started ? new Date(run.started * 1000).toLocaleString() : "",
    };
    for (const name in rows) {
      const pair = make("div");
      pair.append(make("dt", "", name), make("dd", "", String(rows[name])));
      facts.append(pair);
    }
    top.append(facts);
    return top;
  }

  const view = make("div");
  view.id = "view";
  const slider = make("input");
  const where = make("span");
  where.id = "where";
  const play = make("button", "", "▶ play");
  play.id = "play";
  const speed = make("select");
  const list = make("ol");
  list.id = "moments";
  const buttons = [];

  function controls() {
    const bar = make("div");
    bar.id = "controls";
    slider.type = "range";
    slider.id = "slider";
    slider.min = 0;
    slider.max = Math.max(0, moments.length - 1);
    slider.value = 0;
    slider.setAttribute("aria-label", "moment");
    slider.addEventListener("input", () => show(Number(slider.value)));
    for (const [label, value] of [["1×", 1], ["4×", 4], ["16×", 16]]) {
      const option = make("option", "", label);
      option.value = value;
      speed.append(option);
    }
    speed.value = 4;
    speed.setAttribute("aria-label", "speed");
    const back = make("button", "", "◀");
    back.addEventListener("click", () => show(now - 1));
    const on = make("button", "", "▶");
    on.addEventListener("click", () => show(now + 1));
    play.addEventListener("click", toggle);
    bar.append(play, back, on, slider, speed, where);
    return bar;
  }

  function fill() {
    moments.forEach((moment, index) => {
      const item = make("li");
      const button = make("button", moment.tone);
      const title = make("div", "title");
      title.append(make("span", "step", String(moment.step)), moment.title);
      button.append(title);
      for (const [label, text] of moment.lines) {
        const line = make("div", "line");
        if (label) line.append(make("span", "label", label));
        line.append(text);
        button.append(line);
      }
      button.addEventListener("click", () => show(index));
      item.append(button);
      list.append(item);
      buttons.push(button);
    });
  }

  function draw(mark, width, height) {
    const unit = Math.max(width, height) / 100;
    const [x, y] = mark.points[mark.points.length - 1];
    const nodes = [];
    if (mark.kind === "drag") {
      nodes.push(shape("polyline", "mark", { points: mark.points.map((p) => p.join(",")).join(" ") }));
      const [x0, y0] = mark.points[0];
      nodes.push(shape("circle", "mark", { cx: x0, cy: y0, r: unit }));
    }
    if (mark.kind === "click") {
      nodes.push(shape("circle", "mark", { cx: x, cy: y, r: 2 * unit }));
    }
    if (mark.kind !== "text") {
      nodes.push(shape("circle", "mark spot", { cx: x, cy: y, r: 0.7 * unit }));
    }
    const left = x > width / 2;
    const facts = {
      x: left ? x - 2.5 * unit : x + 2.5 * unit,
      y: Math.min(Math.max(y + 4 * unit, 3 * unit), height - unit),
      "font-size": 2.2 * unit, "stroke-width": 0.5 * unit,
      "text-anchor": left ? "end" : "start",
    };
    nodes.push(shape("text", "caption", facts, mark.label.length > 60 ? mark.label.slice(0, 59) + "…" : mark.label));
    return nodes;
  }

  function paint(moment) {
    const url = moment.frame ? story.pictures[moment.frame] : null;
    if (!url) {
      view.replaceChildren(make("p", "none", moment.frame ? "This picture is missing." : "No picture yet."));
      return;
    }
    const sheet = make("div", "sheet");
    const image = make("img");
    image.src = url;
    image.alt = "the screen";
    sheet.append(image);
    if (moment.screen) {
      const [width, height] = moment.screen;
      const layer = shape("svg", "marks", { viewBox: `0 0 ${width} ${height}` });
      for (const mark of moment.marks) layer.append(...draw(mark, width, height));
      sheet.append(layer);
    }
    view.replaceChildren(sheet);
  }

  function show(index) {
    if (!moments.length) return;
    index = Math.min(Math.max(index, 0), moments.length - 1);
    if (now >= 0) buttons[now].classList.remove("now");
    now = index;
    const moment = moments[now];
    buttons[now].classList.add("now");
    buttons[now].scrollIntoView({ block: "nearest" });
    slider.value = now;
    where.textContent =
      `${now + 1}/${moments.length} · step ${moment.step} · ${clock(moment.at - moments[0].at)} · ${moment.cost}`;
    document.body.dataset.seq = moment.seq;
    paint(moment);
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    play.textContent = "▶ play";
  }

  function advance() {
    if (now >= moments.length - 1) return stop();
    const gap = (moments[now + 1].at - moments[now].at) / Number(speed.value);
    timer = setTimeout(() => { show(now + 1); advance(); }, 1000 * Math.min(Math.max(gap, 0.15), 3));
  }

  function toggle() {
    if (timer) return stop();
    if (now >= moments.length - 1) show(0);
    play.textContent = "⏸ pause";
    advance();
  }

  const keys = {
    ArrowRight: () => show(now + 1), ArrowLeft: () => show(now - 1),
    ArrowDown: () => show(now + 1), ArrowUp: () => show(now - 1),
    PageDown: () => show(now + 10), PageUp: () => show(now - 10),
    Home: () => show(0), End: () => show(moments.length - 1), " ": toggle,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === speed) return;
    const deed = keys[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  });

  const stage = make("section");
  stage.id = "stage";
  stage.append(view, controls());
  const main = make("main");
  main.append(stage, list);
  document.body.append(header(), main);
  fill();
  const first = moments.findIndex((moment) => moment.frame && story.pictures[moment.frame]);
  function follow() {
    const wanted = /^#(\d+)$/.exec(location.hash);
    show(wanted ? Number(wanted[1]) : Math.max(first, 0));
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
