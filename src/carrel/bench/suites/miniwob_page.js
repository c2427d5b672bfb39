// Runs before a page's own scripts: opens one episode as soon as the page has loaded, and keeps
// the first result. Only the judge puts it there. `seed` and `milliseconds` (or null: the page's
// own limit) are its parameters.
((seed, milliseconds) => {
  const judged = { result: null };
  judged.over = new Promise((tell) => { judged.tell = tell; });
  judged.opened = new Promise((tell, fail) => {
    // Registered late, it is called right after the page's own handler, which makes the cover: the
    // cover is gone before it was ever drawn, or told to those who read the page's tree.
    document.addEventListener('DOMContentLoaded', () => window.addEventListener('load', () => {
      try { open(); } catch (error) { fail(error); return; }
      // Two frames later it is on the screen.
      requestAnimationFrame(() => requestAnimationFrame(
        () => tell({ text: words(core.getUtterance()), limit: core.EPISODE_MAX_TIME })));
    }));
  });
  Object.defineProperty(window, '__judged', { value: judged });

  // What a page draws by lot while it loads is fixed by the seed, too.
  let state = seed >>> 0;
  Math.random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;

  // Some pages tell, beside the words, what they mean: that is not for the agent.
  const words = (told) => String(told.utterance ?? told);

  const open = () => {
    const endEpisode = core.endEpisode;
    core.endEpisode = function (...told) {
      const counts = core.EP_TIMER !== null && judged.result === null;
      endEpisode.apply(this, told);
      if (!counts) return;
      judged.result = {
        reward: Number(WOB_RAW_REWARD_GLOBAL),
        reason: String(WOB_REWARD_REASON ?? ''),
      };
      judged.tell(true);
    };
    if (milliseconds !== null) core.EPISODE_MAX_TIME = milliseconds;
    // Neither the last reward nor the time left is part of a task.
    core.hideDisplay();
    Math.seedrandom(seed);
    core.startEpisodeReal();
  };
})
