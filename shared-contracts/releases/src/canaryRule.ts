/**
 * Outcomes of one release: renders or views of a slot that succeeded or failed, or measurements of a web vital that were
 * quick or slow.
 */
export interface Outcomes {
  readonly good: number;
  readonly bad: number;
}

/** The thresholds at which one measure ends a canary; all have to be reached. */
export interface CanaryRule {
  /** Bad outcomes of the canary. */
  readonly minFailures: number;
  /** Difference of the bad shares, 0 to 1. */
  readonly minDifference: number;
  /** See `Evidence`. */
  readonly minEvidence: number;
}

/** Canaries that are as good as the live release and are ended nevertheless, at any time and by any measure. */
const FALSE_ENDS = 0.01;
/** A required slot gets so many times the share of `FALSE_ENDS` that another measure gets: its failures are found sooner. */
const REQUIRED_PARTS = 5;
const REQUIRED = { minFailures: 5, minDifference: 0.005 };
const OPTIONAL = { minFailures: 5, minDifference: 0.02 };

/**
 * The rule for each measure of a canary, required slots and others. `required` and `optional` are their numbers: each is a
 * test, and together they end at most one good canary in 100.
 */
export function canaryRules({
  required,
  optional,
}: {
  readonly required: number;
  readonly optional: number;
}): Readonly<Record<'required' | 'optional', CanaryRule>> {
  const parts = required * REQUIRED_PARTS + optional;
  return {
    required: { ...REQUIRED, minEvidence: parts / REQUIRED_PARTS / FALSE_ENDS },
    optional: { ...OPTIONAL, minEvidence: parts / FALSE_ENDS },
  };
}

/** What the outcomes of a canary and of the live release say about one measure. */
export type CanaryVerdict = 'worse' | 'suspect' | 'undecided' | 'fine';

/** The words for each verdict, in the control room, in the command line and in the documentation. */
export const CANARY_STATES: Readonly<
  Record<CanaryVerdict, { readonly text: string; readonly meaning: string; readonly advice: string }>
> = {
  worse: {
    text: 'worse than the live release',
    meaning: 'worse by a difference that counts, and not by chance',
    advice: 'a shell ends the canary; with several shells, end it if none does',
  },
  suspect: {
    text: 'worse so far, which could be chance',
    meaning: 'worse by a difference that counts; the evidence is thin',
    advice: 'wait, and do not raise the share',
  },
  undecided: {
    text: 'not enough evidence yet',
    meaning: 'too few outcomes to exclude a difference that counts',
    advice: 'wait; a larger share takes less time',
  },
  fine: {
    text: 'not worse than the live release',
    meaning: 'a difference that counts is excluded',
    advice: 'no reason not to promote',
  },
};

/** 'results on servers', 'LCP above 2500 ms' */
export function measureName({
  kind,
  name,
  goodMs,
  isRequired,
}: {
  readonly kind: 'server' | 'browser' | 'vital';
  readonly name: string;
  readonly goodMs?: number | undefined;
  readonly isRequired: boolean;
}): string {
  if (kind === 'vital') return `${name} above ${goodMs} ms`;
  return `${name}${isRequired ? ' (required)' : ''} ${kind === 'server' ? 'on servers' : 'in browsers'}`;
}

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

/** Enough for any rule, and a number in JSON. */
const MAX_EVIDENCE = 1e12;

/** How many times as often as the live release a canary may fail, for which evidence is collected. */
const RISK_RATIOS = [3, 30] as const;

/** The canary's share of the bad outcomes if it fails `ratio` times as often; `share` is its share of all outcomes. */
const shareOfBad = (share: number, ratio: number): number => (ratio * share) / (ratio * share + 1 - share);

/** The evidence of all outcomes at once, of two releases that needn't be there at the same time; see `Evidence`. */
export function evidenceOf(newer: Outcomes, older: Outcomes): number {
  const share = (totalOf(newer) + 1) / (totalOf(newer) + totalOf(older) + 1);
  const factors = RISK_RATIOS.map((ratio) => {
    const bad = shareOfBad(share, ratio);
    return share === 1 ? 1 : (bad / share) ** newer.bad * ((1 - bad) / (1 - share)) ** older.bad;
  });
  return Math.min(MAX_EVIDENCE, factors.reduce((sum, factor) => sum + factor) / factors.length);
}

/** A canary may become worse at any time: evidence is also collected from the beginning of each such period; ms. */
const PERIOD_MS = 10 * 60_000;
/** Outcomes after which older ones count half for the canary's share of them. */
const SHARE_MEMORY = 5_000;
/**
 * Evidence that a canary fails more often than the live release at the same time: how many times likelier that makes the
 * bad outcomes. If the releases are equally good, a bad outcome is the canary's with a probability of its share of all
 * outcomes, whatever fails at that moment; then the evidence ever reaches N in at most one of N comparisons, however often
 * one looks (Ville's inequality). It is a mixture of tests that start now or at a later period: half of it of the first.
 */
export class Evidence {
  readonly #startedAt: number;
  #periods = 0;
  /** By risk ratio. */
  #started: readonly number[] = RISK_RATIOS.map(() => 0.5 / RISK_RATIOS.length);
  #waiting = 0.5;
  #seen = { canary: 0, live: 0 };

  /** ms since any epoch. */
  constructor(now: number) {
    this.#startedAt = now;
  }

  /** `weight`: share of the visitors that have the canary, 0 to 1. */
  add(release: 'canary' | 'live', isGood: boolean, weight: number, now: number): void {
    this.#startPeriods(now);
    if (!isGood) {
      const { canary, live } = this.#seen;
      // The larger of both shares is the cautious one.
      const share = Math.max(weight, (canary + 1) / (canary + live + 1));
      this.#started = this.#started.map((evidence, at) => {
        const bad = shareOfBad(share, RISK_RATIOS[at] as number);
        if (release === 'canary') return Math.min(MAX_EVIDENCE, evidence * (bad / share));
        return share === 1 ? evidence : evidence * ((1 - bad) / (1 - share));
      });
    }
    this.#seen[release] += 1;
    if (this.#seen.canary + this.#seen.live < 2 * SHARE_MEMORY) return;
    this.#seen = { canary: this.#seen.canary / 2, live: this.#seen.live / 2 };
  }

  value(): number {
    return Math.min(MAX_EVIDENCE, this.#waiting + this.#started.reduce((sum, evidence) => sum + evidence));
  }

  /** The tests that start at period n have 1 / (n (n + 1)) of the other half. */
  #startPeriods(now: number): void {
    const periods = Math.floor((now - this.#startedAt) / PERIOD_MS);
    if (periods <= this.#periods) return;
    this.#periods = periods;
    const waiting = 0.5 / (periods + 1);
    const starting = (this.#waiting - waiting) / RISK_RATIOS.length;
    this.#started = this.#started.map((evidence) => evidence + starting);
    this.#waiting = waiting;
  }
}

/** What is judged: the outcomes of the last hour, and the evidence since the canary's start. */
export interface Compared {
  readonly canary: Outcomes;
  readonly live: Outcomes;
  /** `Evidence.value()`; of several shells, the product. */
  readonly evidence: number;
}

const differenceOf = ({ canary, live }: Omit<Compared, 'evidence'>): number =>
  badShareOf(canary) - badShareOf(live);

/** The upper end of Newcombe's interval of 95 % for the difference of the bad shares, which combines Wilson's. */
function highestDifference(canary: Outcomes, live: Outcomes): number {
  const above = intervalOf(canary).high - badShareOf(canary);
  const below = badShareOf(live) - intervalOf(live).low;
  return differenceOf({ canary, live }) + Math.hypot(above, below);
}

/**
 * The one rule about canaries, for one measure: a slot on servers or in browsers, or a web vital. Shells end a canary by it;
 * the control room and the command line show what it says. `canaryRule.simulation.test.ts` has what it promises.
 *
 * `fine` is wrong in at most 4 of 100 looks at a canary that is worse by the difference that counts (Newcombe's interval).
 */
export function judgeCanary(compared: Compared, rule: CanaryRule): CanaryVerdict {
  const { canary, live, evidence } = compared;
  if (totalOf(canary) === 0) return 'undecided';
  const isWorse = differenceOf(compared) >= rule.minDifference;
  if (isWorse && canary.bad >= rule.minFailures && evidence >= rule.minEvidence) return 'worse';
  if (highestDifference(canary, live) < rule.minDifference) return 'fine';
  return isWorse ? 'suspect' : 'undecided';
}

const MAX_OUTCOMES = 1_000_000;

/** Outcomes after which the canary is `fine`, if the bad shares stay; `Infinity` if they never suffice. */
export function outcomesUntilFine(
  canary: Outcomes,
  live: Outcomes,
  { minDifference }: Pick<CanaryRule, 'minDifference'>,
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
