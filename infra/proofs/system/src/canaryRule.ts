import { endOfCanary, falseEnds, randomNumbers } from '@forecourt/releases/testing';
import { type Finding, type Proof, reported, required } from './proof.ts';

/** A remote with a required slot and four others, each on servers and in browsers, and two vitals. */
const MEASURES = { required: 2, optional: 10 };
const LIVE_SHARE = 0.001;
const WEIGHTS = [0.01, 0.05, 0.25, 0.5];
const SHARES = [0.005, 0.01, 0.02, 0.05, 0.2];
/** Of a required slot with 5 %, at weights up to a quarter. */
const WITHIN = 300;
const LIMIT = 10_000;

const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;

function endsOf(random: () => number, canary: number, weight: number, runs: number): number[] {
  const simulated = {
    canary,
    live: LIVE_SHARE,
    weight,
    measures: MEASURES,
    kind: 'required' as const,
    limit: LIMIT,
  };
  return Array.from({ length: runs }, () => endOfCanary(random, simulated)).sort((a, b) => a - b);
}

/** 95 of 100 canaries are ended after so many outcomes at most. */
function powerFinding(random: () => number, canary: number, weight: number, runs: number): Finding {
  const ends = endsOf(random, canary, weight, runs);
  const most = ends[Math.ceil(runs * 0.95) - 1] ?? Infinity;
  const measure = `Required slot that fails in ${percent(canary)}, canary of ${percent(weight)}: ended after`;
  const value = `${ends[Math.floor(runs / 2)]} (half), ${most === Infinity ? 'not all' : most} (95 %)`;
  return canary === 0.05 && weight <= 0.25
    ? required(measure, value, `95 % within ${WITHIN}`, most <= WITHIN)
    : reported(measure, value);
}

/** The rule about canaries, by simulation: what it ends falsely, and what it finds. */
export const canaryRule: Proof = {
  name: 'canaryRule',
  title: 'The rule about canaries',
  limitMs: 20 * 60_000,
  needsPages: false,
  method:
    'Outcomes are drawn for canaries and live releases with fixed seeds; a shell looks after each failure. False ends: a day of 12 measures with 8,000 outcomes each.',
  run({ say, isLong }) {
    const runs = isLong ? 2_000 : 300;
    const findings: Finding[] = [];
    for (const [share, weight] of [
      [0, 0.05],
      [0.001, 0.05],
      [0.01, 0.05],
      [0.01, 0.5],
      [0.05, 0.5],
      [0.2, 0.5],
    ] as const) {
      say(`false ends at ${percent(share)}`);
      const ended = falseEnds(randomNumbers(11), {
        canaries: runs,
        share,
        weight,
        measures: MEASURES,
        perDay: 8_000,
      });
      const measure = `Canaries ended within a day that fail in ${percent(share)} as live does, at ${percent(weight)}`;
      findings.push(required(measure, percent(ended / runs), 'at most 1 %', ended / runs <= 0.01));
    }
    for (const canary of SHARES)
      for (const weight of WEIGHTS) {
        say(`power at ${percent(canary)}, ${percent(weight)}`);
        findings.push(powerFinding(randomNumbers(7), canary, weight, runs));
      }
    return Promise.resolve(findings);
  },
};
