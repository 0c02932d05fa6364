// Mouse, pen and finger on one pane: a table of what a drag does.

const MODES = [
  { name: "pan", when: (event) => event.button === 1 || (event.button === 0 && event.altKey) },
  { name: "window", when: (event) => event.button === 2 || (event.button === 0 && event.shiftKey) },
  { name: "crosshair", when: (event) => event.button === 0 },
];
const WHEEL_STEP = 40; // a mouse wheel's notch is 100 or more, a touch pad sends many small ones

// act(event) gives: crosshair(cell, x, y), window(cell, dx, dy), pan(cell, from, to),
// seize, drag, release(cell, x, y): measuring, hover(cell, x, y), leave(), step(by, cell), zoomAt(cell, factor, x, y), expand(cell), focus(cell)
export function listenToPointer(pane, act) {
  const { canvas, cell } = pane;
  let mode = null;
  let last = null;
  let turned = 0;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const drags = {
    crosshair: (event, to) => {
      act(event).crosshair(cell, ...to);
      act(event).hover(cell, ...to); // the reading goes with it
    },
    window: (event, to) => act(event).window(cell, to[0] - last[0], to[1] - last[1]),
    pan: (event, to) => act(event).pan(cell, last, to),
    mark: (event, to) => act(event).drag(cell, ...to),
  };
  canvas.addEventListener("pointerdown", (event) => {
    mode = MODES.find((row) => row.when(event))?.name ?? null;
    if (!mode) return;
    event.preventDefault();
    document.activeElement?.blur?.();
    canvas.setPointerCapture(event.pointerId);
    last = place(event);
    act(event).focus(cell);
    if (mode === "crosshair" && act(event).seize(cell, ...last)) mode = "mark";
    if (mode === "crosshair") drags.crosshair(event, last);
  });
  canvas.addEventListener("pointermove", (event) => {
    const to = place(event);
    if (!mode) return act(event).hover(cell, ...to);
    drags[mode](event, to);
    last = to;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (mode === "mark") act(event).release(cell, ...place(event));
    mode = null;
  });
  canvas.addEventListener("pointercancel", () => (mode = null));
  canvas.addEventListener("pointerleave", (event) => act(event).leave());
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", (event) => act(event).expand(cell));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      if (event.ctrlKey) return act(event).zoomAt(cell, Math.exp(-event.deltaY / 300), ...place(event));
      turned += event.deltaMode === 1 ? event.deltaY * WHEEL_STEP : event.deltaY;
      const notches = Math.trunc(turned / WHEEL_STEP);
      if (notches === 0) return;
      turned = 0;
      act(event).step(-Math.sign(notches), cell);
    },
    { passive: false },
  );
}
