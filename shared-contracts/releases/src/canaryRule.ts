/**
 * Outcomes of one release within a time window: renders and hydrations that succeeded or failed, or measurements of a web
 * vital that were quick or slow.
 */
export interface Outcomes {
  readonly good: number;
  readonly bad: number;
}

/** The thresholds at which a canary is ended. */
export interface CanaryRule {
  /** Bad outcomes of the canary. */
  readonly minFailures: number;
  /** Difference of the bad shares, 0 to 1. */
  readonly minDifference: number;
  /** Standard errors between the bad shares. */
  readonly minZ: number;
}

export const CANARY_RULE: CanaryRule = { minFailures: 5, minDifference: 0.02, minZ: 4 };

/**
 * What the outcomes of a canary and of the live release say:
 * - `worse`: the canary has to end; every shell does so by itself
 * - `suspect`: worse so far by a difference that counts, which could be chance
 * - `fine`: a difference that counts is excluded
 * - `undecided`: not enough outcomes to tell
 */
export type CanaryVerdict = 'worse' | 'suspect' | 'fine' | 'undecided';

const NONE_TO_ALL = { low: 0, high: 1 } as const;
/** 97.5th percentile of the normal distribution, for intervals of 95 %. */
const Z_OF_INTERVALS = 1.96;

export const totalOf = ({ good, bad }: Outcomes): number => good + bad;

/** The share of bad outcomes; 0 without any. */
export const badShareOf = (outcomes: Outcomes): number => outcomes.bad / Math.max(1, totalOf(outcomes));

/** Wilson's interval of 95 % for the share of bad outcomes; without outcomes, everything is possible. */
export function intervalOf(outcomes: Outcomes): { readonly low: number; readonly high: number } {
  const total = totalOf(outcomes);
  if (total === 0) return NONE_TO_ALL;
  const share = badShareOf(outcomes);
  const square = Z_OF_INTERVALS ** 2;
  const center = (share + square / (2 * total)) / (1 + square / total);
  const half =
    (Z_OF_INTERVALS / (1 + square / total)) *
    Math.sqrt((share * (1 - share)) / total + square / (4 * total ** 2));
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

/** A two-proportion z-test of the bad shares. */
function isClearlyWorse(canary: Outcomes, live: Outcomes, rule: CanaryRule): boolean {
  if (canary.bad < rule.minFailures) return false;
  // One good and one bad outcome are added, so that a live release without outcomes has a share.
  const liveTotal = totalOf(live) + 2;
  const liveBad = live.bad + (live.bad === 0 ? 0 : 1);
  const canaryTotal = totalOf(canary);
  const difference = canary.bad / canaryTotal - liveBad / liveTotal;
  if (difference < rule.minDifference) return false;
  const pooled = (canary.bad + liveBad) / (canaryTotal + liveTotal);
  // Never 0: at least one outcome of the live release counts as good, and some of the canary's are bad.
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / canaryTotal + 1 / liveTotal));
  return difference / error >= rule.minZ;
}

/** The upper end of Newcombe's interval of 95 % for the difference of the bad shares, which combines Wilson's. */
function highestDifference(canary: Outcomes, live: Outcomes): number {
  const [canaryShare, liveShare] = [badShareOf(canary), badShareOf(live)];
  const above = intervalOf(canary).high - canaryShare;
  const below = liveShare - intervalOf(live).low;
  return canaryShare - liveShare + Math.hypot(above, below);
}

/**
 * The one rule about canaries. Shells end a canary by it; the control room and the command line show what it says.
 *
 * A canary is `worse` with at least five bad outcomes, a bad share of at least two points above the live release's, and
 * four standard errors between the two (two-proportion z-test, one-sided). A shell looks after every bad outcome of a
 * sliding window, so the test is repeated many times; four standard errors, instead of the usual two, pay for that.
 *
 * False alarms, over all looks at 2,000 outcomes of a canary that is as good as the live release: at most 1.5 canaries in
 * 100, at any bad share and any share of visitors; none in 1,000 if at most 0.1 % of the outcomes are bad.
 *
 * Power, against a live release with 0.1 % bad outcomes and twenty times as many of them. In 95 of 100 cases, a canary ends
 * - that always fails: after 5 outcomes,
 * - with 50 % bad outcomes: within 20,
 * - with 10 %: within 120,
 * - with 5 %: within 250,
 * - with 3 %: within 600.
 * A canary that is worse by two points or less is not reliably ended: such a difference isn't worth a rollback.
 *
 * `fine` is wrong in at most 4 of 100 looks at a canary that is worse by two points: it needs a difference that is below
 * two points with 97.5 % confidence (Newcombe's interval, which is approximate).
 */
export function judgeCanary(canary: Outcomes, live: Outcomes, rule: CanaryRule = CANARY_RULE): CanaryVerdict {
  if (isClearlyWorse(canary, live, rule)) return 'worse';
  if (totalOf(canary) === 0) return 'undecided';
  if (highestDifference(canary, live) < rule.minDifference) return 'fine';
  return badShareOf(canary) - badShareOf(live) >= rule.minDifference ? 'suspect' : 'undecided';
}

const MAX_OUTCOMES = 1_000_000;

/** Outcomes after which the canary is `fine`, if the bad shares stay; `Infinity` if they never suffice. */
export function outcomesUntilFine(
  canary: Outcomes,
  live: Outcomes,
  { minDifference }: CanaryRule = CANARY_RULE,
): number {
  const share = badShareOf(canary);
  const isFine = (total: number) =>
    highestDifference({ good: total * (1 - share), bad: total * share }, live) < minDifference;
  if (!isFine(MAX_OUTCOMES)) return Infinity;
  let few = 0;
  let enough = MAX_OUTCOMES;
  while (enough - few > 1) {
    const middle = Math.ceil((few + enough) / 2);
    if (isFine(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}
