/** How far an import is; bytes of the feed's file. */
export interface ImportProgress {
  readonly rows: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

const BAR_WIDTH = 30;
/** ms between two repaints of the bar, and between two lines where nobody watches. */
const REPAINT_MS = 100;
const LINE_MS = 5_000;

export interface ProgressBar {
  show(progress: ImportProgress): void;
  /** Ends the line. */
  finish(): void;
}

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const count = (value: number): string => value.toLocaleString('en-US');

/** '[#######       ] 48 %, 120,000 rows, 24,000 rows/s' */
export function progressText({ rows, bytes, totalBytes }: ImportProgress, elapsedMs: number): string {
  const share = totalBytes > 0 ? Math.min(1, bytes / totalBytes) : 1;
  const filled = Math.round(share * BAR_WIDTH);
  const perSecond = elapsedMs > 0 ? Math.round((rows / elapsedMs) * 1000) : 0;
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
  return `${bar} ${Math.floor(share * 100)} %, ${count(rows)} rows, ${count(perSecond)} rows/s`;
}

/** Repaints one line on a terminal; writes a line now and then into a file or a pipe. */
export function createProgressBar(
  screen: Screen,
  now: () => number = performance.now.bind(performance),
): ProgressBar {
  const started = now();
  let shownAt = -Infinity;
  let last: ImportProgress | undefined;
  const paint = (progress: ImportProgress) => {
    const text = progressText(progress, now() - started);
    screen.write(screen.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
    shownAt = now();
    last = undefined;
  };
  return {
    show(progress) {
      last = progress;
      if (now() - shownAt >= (screen.isTTY ? REPAINT_MS : LINE_MS)) paint(progress);
    },
    finish() {
      if (last) paint(last);
      if (screen.isTTY && shownAt > -Infinity) screen.write('\n');
    },
  };
}
