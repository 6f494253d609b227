export interface AfterPaint {
  /** Runs after the next paint, and after all that was put off before it. */
  readonly run: (task: () => void) => void;
  /** Runs at once what still waits. */
  readonly flush: () => void;
  /** Forgets what still waits. */
  readonly drop: () => void;
}

/** Puts work off until the browser has painted, so that it does not keep the shopper waiting. */
export function createAfterPaint(): AfterPaint {
  let waiting: (() => void)[] = [];
  const flush = () => {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  };
  return {
    run(task) {
      waiting.push(task);
      // A frame's callbacks run before its paint, a timer set by them after it.
      if (waiting.length === 1) requestAnimationFrame(() => setTimeout(flush));
    },
    flush,
    drop() {
      waiting = [];
    },
  };
}

/** Runs as soon as the grid shows what the store holds: its vehicles follow the answer in slices. */
export function whenListingsShown(run: () => void): void {
  const isBusy = document.querySelector('#listings[aria-busy="true"]') !== null;
  if (isBusy) requestAnimationFrame(() => whenListingsShown(run));
  else run();
}
