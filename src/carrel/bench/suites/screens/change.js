/* Turns the letters of one line of text in the middle of the page into others. */
(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let best = null, distance = Infinity;
  while (walker.nextNode()) {
    const node = walker.currentNode, text = node.data.trim();
    if (text.length < 5 || text.length > 80 || !node.parentElement?.checkVisibility()) continue;
    range.selectNodeContents(node);
    const rects = range.getClientRects();
    if (rects.length !== 1) continue;
    const { left, right, top, bottom } = rects[0];
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || right - left < 20) continue;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (hit !== node.parentElement) continue;
    const away = Math.abs((top + bottom) / 2 - innerHeight / 2);
    if (away < distance) [best, distance] = [node, away];
  }
  if (!best) return false;
  best.data = best.data.replace(/[a-yA-Y0-8]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 1))
    .replace(/[\u4e00-\u9ffe]/g, "字");
  return true;
})()
