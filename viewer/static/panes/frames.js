// When to draw: at once, but at most once a screen frame; and how long it took. settle() draws
// what still waits, for whoever must know where things lie now.

const KEPT = 600;

export function frameLoop(draw) {
  const times = []; // ms from the event (or the request) to the drawn frame
  let fresh = true; // nothing was drawn since the screen's last frame
  let waiting = null;

  const run = (since) => {
    waiting = null;
    fresh = false;
    requestAnimationFrame(() => {
      fresh = true;
      if (waiting !== null) run(waiting);
    });
    drawn(since);
  };
  const drawn = (since) => {
    draw();
    times.push(performance.now() - since);
    if (times.length > KEPT) times.shift();
  };
  const request = (event) => {
    const since = event?.timeStamp ?? performance.now();
    if (fresh) run(since);
    else waiting ??= since;
  };
  const settle = () => {
    if (waiting === null) return;
    const since = waiting;
    waiting = null;
    drawn(since);
  };
  return { request, settle, times };
}
