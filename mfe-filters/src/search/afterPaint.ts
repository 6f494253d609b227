/** ms; nothing is painted in a page that nobody sees. */
const AT_LATEST = 100;

/** Runs once the browser has painted what it has been told so far; the answer calls it off. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(latest);
    clearTimeout(timer);
  };
  const once = () => {
    stop();
    run();
  };
  // A frame's callbacks run before its paint, a timer set by them after it.
  const frame = requestAnimationFrame(() => (timer = setTimeout(once)));
  const latest = setTimeout(once, AT_LATEST);
  return stop;
}
