export interface AfterPaint {
  /** Runs after the next paint, in order. */
  readonly run: (task: () => void) => void;
  /** Runs deferred tasks now. */
  readonly flush: () => void;
  /** Drops deferred tasks. */
  readonly drop: () => void;
}

/** Defers work until the browser has painted. */
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

/** Runs when the grid shows the store's listings, which it renders in slices. */
export function whenListingsShown(run: () => void): void {
  const isBusy = document.querySelector('#listings[aria-busy="true"]') !== null;
  if (isBusy) requestAnimationFrame(() => whenListingsShown(run));
  else run();
}
