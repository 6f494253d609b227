/** Outcomes older than this do not count; ms. */
export const WINDOW_MS = 10 * 60_000;
const SLICE_MS = 30_000;

/** Outcomes of one release within the window. */
export interface ReleaseHealth {
  readonly good: number;
  readonly bad: number;
}

/** Counts outcomes of the last ten minutes by time slice, oldest first. */
export class Tally {
  private slices: { since: number; good: number; bad: number }[] = [];

  add(isGood: boolean, now: number): void {
    let slice = this.slices.at(-1);
    if (!slice || now - slice.since >= SLICE_MS) {
      slice = { since: now, good: 0, bad: 0 };
      this.slices.push(slice);
      this.slices = this.slices.filter(({ since }) => now - since <= WINDOW_MS);
    }
    slice[isGood ? 'good' : 'bad'] += 1;
  }

  health(now: number): ReleaseHealth {
    const recent = this.slices.filter(({ since }) => now - since <= WINDOW_MS);
    return {
      good: recent.reduce((sum, { good }) => sum + good, 0),
      bad: recent.reduce((sum, { bad }) => sum + bad, 0),
    };
  }
}
