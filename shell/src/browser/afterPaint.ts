/** Defers work until the browser has painted. */
export function createAfterPaint() {
  let deferred: (() => void)[] = [];
  /** Runs deferred tasks now. */
  const flush = () => {
    const tasks = deferred;
    deferred = [];
    for (const task of tasks) task();
  };
  return {
    /** Runs after the next paint, in order. */
    run(task: () => void): void {
      deferred.push(task);
      // A frame's callbacks run before its paint, a timer set by them after it.
      if (deferred.length === 1) requestAnimationFrame(() => setTimeout(flush));
    },
    flush,
    /** Drops deferred tasks. */
    drop(): void {
      deferred = [];
    },
  };
}

/** Runs when the grid shows the store's listings, which it renders in slices. */
export function whenListingsShown(run: () => void): void {
  const isBusy = document.querySelector('#listings[aria-busy="true"]') !== null;
  if (isBusy) requestAnimationFrame(() => whenListingsShown(run));
  else run();
}
