import type { Outcomes } from '@forecourt/releases/canaryRule';

const SLICE_MS = 30_000;

/** Counts outcomes within a time window by slice, oldest first. */
export class Tally {
  private slices: { since: number; good: number; bad: number }[] = [];
  private readonly windowMs: number;

  constructor(windowMs: number) {
    this.windowMs = windowMs;
  }

  add(isGood: boolean, now: number): void {
    this.sliceOf(now)[isGood ? 'good' : 'bad'] += 1;
  }

  /** A success that was counted before was none. */
  turn(now: number): void {
    const slice = this.sliceOf(now);
    slice.good -= 1;
    slice.bad += 1;
  }

  health(now: number): Outcomes {
    const recent = this.slices.filter(({ since }) => now - since <= this.windowMs);
    const bad = recent.reduce((sum, slice) => sum + slice.bad, 0);
    // The success of a failure may be older than the window.
    return {
      good: Math.max(
        0,
        recent.reduce((sum, slice) => sum + slice.good, 0),
      ),
      bad,
    };
  }

  private sliceOf(now: number) {
    const last = this.slices.at(-1);
    if (last && now - last.since < SLICE_MS) return last;
    const slice = { since: now, good: 0, bad: 0 };
    this.slices = [...this.slices.filter(({ since }) => now - since <= this.windowMs), slice];
    return slice;
  }
}
