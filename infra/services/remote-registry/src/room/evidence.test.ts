import { describe, expect, it } from '@jest/globals';
import type { RoomBoard, ShellReport } from './roomView.ts';
import { canaryEvidence, forecast, measuresOf, slotsOf } from './evidence.ts';

const RULE = { minFailures: 5, minDifference: 0.02, minZ: 4 };
const health = (good: number, bad: number) => ({ good, bad });
const evidence = (canary: [number, number], live: [number, number]) => ({
  canary: health(...canary),
  live: health(...live),
  rule: RULE,
  windowMinutes: 10,
});

const report = (changes: Partial<ShellReport>): ShellReport => ({
  status: 'ready',
  startedAt: '2026-03-01T12:00:00.000Z',
  windowMinutes: 10,
  remotes: {},
  refused: {},
  canaries: [],
  slots: [],
  ...changes,
});
const board = (...reports: ShellReport[]): RoomBoard => ({
  revision: 1,
  remotes: [],
  changes: [],
  shells: [
    ...reports.map((one, index) => ({ url: `http://${index}`, report: one })),
    { url: 'http://away', problem: 'UNREACHABLE' },
  ],
});

describe('evidence of a canary', () => {
  it.each([
    ['fails in 5 % of many renders', evidence([950, 50], [5000, 2]), 'worse'],
    ['failed twice in few renders', evidence([53, 2], [95, 0]), 'suspect'],
    ['failed more often, with overlapping intervals', evidence([50, 5], [950, 50]), 'suspect'],
    ['did not fail in many renders', evidence([400, 0], [5000, 2]), 'fine'],
    ['fails as often as the live release', evidence([950, 50], [4750, 250]), 'fine'],
  ])('of a canary that %s', (_, given, kind) => {
    expect(forecast(given, 10).kind).toBe(kind);
  });

  it('estimates the time left from the renders so far', () => {
    // 190 renders without a failure exclude 2 points; 100 came in 5 minutes.
    const verdict = forecast(evidence([100, 0], [5000, 0]), 5);
    expect(verdict).toMatchObject({ kind: 'undecided' });
    expect((verdict as { minutesLeft: number }).minutesLeft).toBeCloseTo(4.5, 0);
    expect(forecast(evidence([10, 0], [5000, 0]), 5)).toEqual({ kind: 'share-too-small' });
    expect(forecast(evidence([0, 0], [5000, 0]), 5)).toEqual({ kind: 'undecided', minutesLeft: undefined });
  });

  it('adds up what the replicas counted, with the newest failure', () => {
    const failure = (at: string, message: string) => ({ at, code: 'THREW', message });
    const slot = { release: 'mfe-x@1.1.0', slot: 'grid' };
    const canary = { remote: 'mfe-x', version: '1.1.0', rule: RULE, speed: [] };
    const inp = { name: 'INP', goodMs: 200 };
    const both = board(
      report({
        slots: [{ ...slot, ...health(90, 2), lastFailure: failure('2026-03-01T12:05:00.000Z', 'newer') }],
        canaries: [
          {
            ...canary,
            canary: health(90, 2),
            live: health(500, 0),
            speed: [{ ...inp, canary: health(10, 20), live: health(300, 2) }],
          },
        ],
      }),
      report({
        slots: [
          { ...slot, ...health(60, 3), lastFailure: failure('2026-03-01T12:01:00.000Z', 'older') },
          { release: 'mfe-x@1.0.0', slot: 'grid', ...health(9, 9) },
        ],
        canaries: [
          {
            ...canary,
            canary: health(60, 3),
            live: health(300, 1),
            speed: [{ ...inp, canary: health(5, 10), live: health(200, 3) }],
          },
          { ...canary, version: '1.0.9', canary: health(7, 7), live: health(7, 7) },
        ],
      }),
    );
    expect(slotsOf(both, 'mfe-x@1.1.0')).toEqual([
      { slot: 'grid', good: 150, bad: 5, lastFailure: failure('2026-03-01T12:05:00.000Z', 'newer') },
    ]);
    const remote = {
      name: 'mfe-x',
      pointer: { live: '1.0.0', canary: { version: '1.1.0', weight: 5 } },
      previous: undefined,
      hold: undefined,
      canarySince: undefined,
      releases: [],
    };
    const found = canaryEvidence(both, remote);
    expect(found).toMatchObject({ canary: health(150, 5), live: health(800, 1), shells: 2 });
    expect(measuresOf(found, 10)).toEqual([
      {
        name: 'failures',
        canary: health(150, 5),
        live: health(800, 1),
        // 3.99 standard errors: no shell ends it.
        verdict: { kind: 'suspect' },
      },
      { ...inp, canary: health(15, 30), live: health(500, 5), verdict: { kind: 'worse' } },
    ]);
  });
});
