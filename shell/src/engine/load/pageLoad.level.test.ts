import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LOAD_LEVELS, NO_LOAD, nextLoad, type LoadState, type LoadWindow } from './pageLoad.ts';

const LIMITS = { targetMs: 50, calmMs: 5000 };
const INTERVAL = 500;
const window = (delayMs: number, more: Partial<LoadWindow> = {}): LoadWindow => ({
  elapsedMs: INTERVAL,
  delayMs,
  hasRefused: false,
  ...more,
});
/** The states after each window. */
function run(windows: readonly LoadWindow[], start: LoadState = NO_LOAD): LoadState[] {
  let state = start;
  return windows.map((next) => (state = nextLoad(state, next, LIMITS)));
}
const levelsOf = (windows: readonly LoadWindow[]) => run(windows).map(({ level }) => level);
const rank = ({ level }: LoadState) => LOAD_LEVELS.indexOf(level);

const delay = fc.integer({ min: 0, max: 300 });
const windows = fc.array(
  fc.record({
    elapsedMs: fc.integer({ min: INTERVAL, max: 3000 }),
    delayMs: delay,
    hasRefused: fc.boolean(),
  }),
  { maxLength: 60 },
);

describe('the load level', () => {
  it('rises by one per overloaded interval: slots, then stale pages, then refusals', () => {
    expect(levelsOf([60, 60, 60, 60].map((ms) => window(ms)))).toEqual([
      'slots',
      'stale',
      'refuse',
      'refuse',
    ]);
  });

  it('falls by one per calm period', () => {
    const overload = [60, 60, 60].map((ms) => window(ms));
    const calm = Array.from({ length: 30 }, () => window(0));
    const levels = levelsOf([...overload, ...calm]).slice(3);
    expect([levels[8], levels[9], levels[18], levels[19], levels[28], levels[29]]).toEqual([
      'refuse',
      'stale',
      'stale',
      'slots',
      'slots',
      'normal',
    ]);
  });

  it('stays while the delay is just acceptable or requests are refused', () => {
    const states = run([window(60), ...Array.from({ length: 50 }, () => window(30))]);
    expect(states.at(-1)?.level).toBe('slots');
    const refusing = Array.from({ length: 50 }, () => window(0, { hasRefused: true }));
    expect(run(refusing, { level: 'refuse', calmMs: 0 }).at(-1)?.level).toBe('refuse');
  });

  it('never sheds when idle', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: LIMITS.targetMs })), (delays) => {
        for (const level of levelsOf(delays.map((ms) => window(ms)))) expect(level).toBe('normal');
      }),
    );
  });

  it('is never lower for longer delays', () => {
    fc.assert(
      fc.property(
        windows,
        fc.infiniteStream(fc.record({ extra: delay, refuses: fc.boolean() })),
        (less, more) => {
          const worse = less.map((one) => {
            const { extra, refuses } = more.next().value;
            return { ...one, delayMs: one.delayMs + extra, hasRefused: one.hasRefused || refuses };
          });
          const [low, high] = [run(less), run(worse)];
          for (const [at, state] of low.entries())
            expect(rank(high[at] as LoadState)).toBeGreaterThanOrEqual(rank(state));
        },
      ),
    );
  });

  it('recovers from any load within three calm periods', () => {
    fc.assert(
      fc.property(windows, (history) => {
        const loaded = run(history).at(-1) ?? NO_LOAD;
        const calm = Array.from({ length: (3 * LIMITS.calmMs) / INTERVAL }, () => window(0));
        expect(run(calm, loaded).at(-1)).toEqual(NO_LOAD);
      }),
    );
  });

  it('rises one level at a time, and falls only after a calm period', () => {
    fc.assert(
      fc.property(windows, (history) => {
        const states = run(history);
        let calmMs = 0;
        for (const [at, state] of states.entries()) {
          const before = states[at - 1] ?? NO_LOAD;
          const { elapsedMs, delayMs, hasRefused } = history[at] as LoadWindow;
          calmMs = hasRefused || delayMs > LIMITS.targetMs / 2 ? 0 : calmMs + elapsedMs;
          expect(rank(state) - rank(before)).toBeLessThanOrEqual(1);
          if (rank(state) < rank(before)) expect(calmMs).toBeGreaterThanOrEqual(LIMITS.calmMs);
        }
      }),
    );
  });
});
