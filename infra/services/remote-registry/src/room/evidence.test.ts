import { describe, expect, it } from '@jest/globals';
import { CANARY_STATES, evidenceOf } from '@forecourt/releases/canaryRule';
import type { RoomBoard, ShellReport } from './roomView.ts';
import { canaryEvidence, forecast, measuresOf, slotsOf, worseThanPrevious } from './evidence.ts';

const RULE = { minFailures: 5, minDifference: 0.02, minEvidence: 1_200 };
const health = (good: number, bad: number) => ({ good, bad });
const measure = (
  canary: readonly [number, number],
  live: readonly [number, number],
  changes: object = {},
) => ({
  kind: 'server' as const,
  name: 'grid',
  isRequired: false,
  canary: health(...canary),
  live: health(...live),
  evidence: evidenceOf(health(...canary), health(...live)),
  rule: RULE,
  ...changes,
});

const report = (changes: Partial<ShellReport>): ShellReport => ({
  status: 'ready',
  startedAt: '2026-03-01T12:00:00.000Z',
  windowMinutes: 10,
  remotes: {},
  refused: {},
  canaries: [],
  worse: [],
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
    ['fails in 5 % of many renders', measure([950, 50], [5000, 2]), 'worse'],
    ['failed twice in few renders', measure([53, 2], [95, 0]), 'suspect'],
    ['did not fail in many renders', measure([400, 0], [5000, 2]), 'fine'],
    ['fails as often as the live release', measure([950, 50], [4750, 250]), 'fine'],
  ])('of a canary that %s', (_, given, kind) => {
    expect(forecast(given, 10).kind).toBe(kind);
  });

  it('estimates the time left from the renders so far, also if it is long', () => {
    // 190 renders without a failure exclude 2 points; 100 came in 5 minutes.
    const left = forecast(measure([100, 0], [5000, 0]), 5);
    expect(left.kind).toBe('undecided');
    expect(left.minutesLeft).toBeCloseTo(4.5, 0);
    expect(forecast(measure([10, 0], [5000, 0]), 50).minutesLeft).toBeGreaterThan(60);
    expect(forecast(measure([0, 0], [5000, 0]), 5)).toEqual({ kind: 'undecided' });
  });

  it('never asks for a larger share while the canary fails more often', () => {
    // Of a canary that the room advised to give to more visitors, after eleven minutes.
    const { kind } = forecast(measure([217, 11], [1324, 3]), 11);
    expect(CANARY_STATES[kind].advice).not.toMatch(/larger share|raise the share(?<!not raise the share)/);
  });

  it('adds up what the replicas counted on servers and in browsers, with the newest failures', () => {
    const failure = (at: string, message: string) => ({ at, code: 'THREW', message });
    const slot = { release: 'mfe-x@1.1.0', slot: 'grid' };
    const browser = (good: number, bad: number, phases: Record<string, number>) => ({
      ...health(good, bad),
      phases,
      lastFailure: failure('2026-03-01T12:03:00.000Z', 'in a browser'),
    });
    const canary = { remote: 'mfe-x', version: '1.1.0' };
    const inp = { kind: 'vital', name: 'INP', goodMs: 200 };
    const required = { name: 'panel', isRequired: true };
    const both = board(
      report({
        slots: [
          {
            ...slot,
            ...health(90, 2),
            lastFailure: failure('2026-03-01T12:05:00.000Z', 'newer'),
            browser: {
              ...browser(80, 3, { hydrate: 3, load: 1 }),
              figures: { inpMs: { p75: 100, views: 30 }, elements: { p75: 9, views: 1 } },
            },
          },
        ],
        canaries: [
          {
            ...canary,
            measures: [
              measure([10, 20], [300, 2], inp),
              measure([90, 2], [500, 0], { evidence: 50 }),
              measure([90, 0], [500, 0], required),
            ],
          },
        ],
      }),
      report({
        slots: [
          {
            ...slot,
            ...health(60, 3),
            lastFailure: failure('2026-03-01T12:01:00.000Z', 'older'),
            browser: { ...browser(20, 1, { evaluate: 1 }), figures: { inpMs: { p75: 200, views: 10 } } },
          },
          { release: 'mfe-x@1.0.0', slot: 'grid', ...health(9, 9) },
        ],
        canaries: [
          { ...canary, measures: [measure([60, 3], [300, 1], { evidence: 40 })] },
          { ...canary, version: '1.0.9', measures: [measure([7, 7], [7, 7])] },
        ],
      }),
    );
    expect(slotsOf(both, 'mfe-x@1.1.0')).toEqual([
      {
        slot: 'grid',
        server: { good: 150, bad: 5, lastFailure: failure('2026-03-01T12:05:00.000Z', 'newer') },
        browser: {
          ...browser(100, 4, { hydrate: 3, load: 1, evaluate: 1 }),
          figures: { inpMs: { p75: 125, views: 40 }, elements: { p75: 9, views: 1 } },
        },
      },
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
    expect(found.shells).toBe(2);
    expect(measuresOf(found, 10)).toMatchObject([
      { name: 'panel', verdict: { kind: 'undecided' } },
      // The evidence of shells with different visitors multiplies.
      {
        name: 'grid',
        canary: health(150, 5),
        live: health(800, 1),
        evidence: 2_000,
        verdict: { kind: 'worse' },
      },
      { name: 'INP', canary: health(10, 20), verdict: { kind: 'worse' } },
    ]);
  });

  it('names the live release that is worse than the one before it', () => {
    const worse = (version: string, bad: number) => ({
      remote: 'mfe-x',
      version,
      previous: '1.0.0',
      slot: `slot-${bad}`,
      where: 'browser' as const,
      outcomes: { now: health(90, bad), before: health(900, 1) },
    });
    const both = board(report({ worse: [worse('1.1.0', 7)] }), report({ worse: [worse('1.1.0', 9)] }));
    const of = (live: string) => worseThanPrevious(both, { name: 'mfe-x', pointer: { live } });
    expect(of('1.1.0')?.slot).toBe('slot-9');
    expect(of('1.2.0')).toBeUndefined();
  });
});
