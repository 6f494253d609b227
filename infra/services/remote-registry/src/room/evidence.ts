import type { RoomBoard, RoomRemote, ShellReport } from './roomView.ts';

/** Outcomes of renders, or measurements of a web vital. */
export interface Health {
  readonly good: number;
  readonly bad: number;
}

/** 97.5th percentile of the normal distribution, for intervals of 95 %. */
const Z = 1.96;

export const totalOf = ({ good, bad }: Health): number => good + bad;
export const rateOf = (health: Health): number => health.bad / Math.max(1, totalOf(health));

/** Wilson's interval of 95 % for the failure rate; without renders, everything is possible. */
export function intervalOf(health: Health): { readonly low: number; readonly high: number } {
  const total = totalOf(health);
  if (total === 0) return { low: 0, high: 1 };
  const rate = rateOf(health);
  const square = Z ** 2;
  const center = (rate + square / (2 * total)) / (1 + square / total);
  const half =
    (Z / (1 + square / total)) * Math.sqrt((rate * (1 - rate)) / total + square / (4 * total ** 2));
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

const add = (a: Health, b: Health): Health => ({ good: a.good + b.good, bad: a.bad + b.bad });
const NONE: Health = { good: 0, bad: 0 };

const reportsOf = ({ shells }: Pick<RoomBoard, 'shells'>): readonly ShellReport[] =>
  shells.flatMap(({ report }) => (report ? [report] : []));

export type SlotHealth = Health & {
  readonly slot: string;
  readonly lastFailure: ShellReport['slots'][number]['lastFailure'];
};

/** The slots of a release over all replicas, most failures first. */
export function slotsOf(board: RoomBoard, release: string): SlotHealth[] {
  const bySlot = new Map<string, SlotHealth>();
  for (const { slots } of reportsOf(board))
    for (const one of slots) {
      if (one.release !== release) continue;
      const before = bySlot.get(one.slot);
      const failures = [before?.lastFailure, one.lastFailure].filter((failure) => failure !== undefined);
      const [lastFailure] = failures.sort((a, b) => (a.at < b.at ? 1 : -1));
      bySlot.set(one.slot, { slot: one.slot, lastFailure, ...add(before ?? NONE, one) });
    }
  return [...bySlot.values()].sort((a, b) => b.bad - a.bad || a.slot.localeCompare(b.slot));
}

/** All slots of a release together. */
export const healthOf = (board: RoomBoard, release: string): Health =>
  slotsOf(board, release).reduce<Health>(add, NONE);

/** What is compared, of the canary and of the live release. */
interface Compared {
  readonly canary: Health;
  readonly live: Health;
}

/** A web vital in browsers; `bad` measurements are slower than `goodMs`. */
interface VitalEvidence extends Compared {
  readonly name: string;
  readonly goodMs: number;
}

/** With the outcomes of renders and hydrations. */
export interface CanaryEvidence extends Compared {
  readonly speed: readonly VitalEvidence[];
  /** Shells that reported the canary. */
  readonly shells: number;
  /** When a shell ends a canary by itself; undefined without a report. */
  readonly rule: ShellReport['canaries'][number]['rule'] | undefined;
  readonly windowMinutes: number;
}

const addCompared = (all: readonly Compared[]): Compared => ({
  canary: all.reduce<Health>((sum, { canary }) => add(sum, canary), NONE),
  live: all.reduce<Health>((sum, { live }) => add(sum, live), NONE),
});

/** The canary of a remote against its live release, over all replicas. */
export function canaryEvidence(
  board: Pick<RoomBoard, 'shells'>,
  { name, pointer }: Pick<RoomRemote, 'name' | 'pointer'>,
): CanaryEvidence {
  const reports = reportsOf(board);
  const own = reports.flatMap(({ canaries }) =>
    canaries.filter(({ remote, version }) => remote === name && version === pointer.canary?.version),
  );
  const vitals = Map.groupBy(
    own.flatMap(({ speed }) => speed),
    ({ name }) => name,
  );
  return {
    ...addCompared(own),
    speed: [...vitals].map(([name, all]) => ({ name, goodMs: all[0]?.goodMs ?? 0, ...addCompared(all) })),
    shells: own.length,
    rule: own[0]?.rule,
    windowMinutes: reports[0]?.windowMinutes ?? 10,
  };
}

export type Verdict =
  | { readonly kind: 'worse' | 'suspect' | 'fine' | 'share-too-small' }
  /** Minutes until the evidence suffices at the present rate; undefined without any renders. */
  | { readonly kind: 'undecided'; readonly minutesLeft: number | undefined };

const MAX_RENDERS = 1_000_000;

/** Renders after which the canary's upper bound is below `limit`, if its failure rate stays at `rate` below it. */
function rendersNeeded(rate: number, limit: number): number {
  let few = 0;
  let enough = MAX_RENDERS;
  while (enough - few > 1) {
    const middle = Math.ceil((few + enough) / 2);
    const bad = rate * middle;
    if (intervalOf({ good: middle - bad, bad }).high < limit) enough = middle;
    else few = middle;
  }
  return enough;
}

/** What `judge` reads. */
type Judged = Compared & Pick<CanaryEvidence, 'rule' | 'windowMinutes'>;

/**
 * What the evidence says: `worse` if the intervals don't overlap, `fine` if a failure rate above the live release's by the
 * rule's difference is excluded, `suspect` if there is such a difference that could still be chance.
 */
export function judge({ canary, live, rule, windowMinutes }: Judged, minutesRunning: number): Verdict {
  const { minFailures = 5, minDifference = 0.02 } = rule ?? {};
  if (canary.bad >= minFailures && intervalOf(canary).low > intervalOf(live).high) return { kind: 'worse' };
  const limit = rateOf(live) + minDifference;
  if (totalOf(canary) > 0 && intervalOf(canary).high < limit) return { kind: 'fine' };
  if (totalOf(canary) > 0 && rateOf(canary) >= limit) return { kind: 'suspect' };
  const perMinute = totalOf(canary) / Math.min(windowMinutes, Math.max(minutesRunning, 0.1));
  if (perMinute === 0) return { kind: 'undecided', minutesLeft: undefined };
  const needed = rendersNeeded(rateOf(canary), limit);
  if (needed > perMinute * windowMinutes) return { kind: 'share-too-small' };
  return { kind: 'undecided', minutesLeft: (needed - totalOf(canary)) / perMinute };
}

/** One comparison of a canary with its verdict: its failures (without `goodMs`), or one web vital. */
export interface Measure extends Compared {
  readonly name: string;
  readonly goodMs?: number;
  readonly verdict: Verdict;
}

/** Every comparison of a canary, failures first. */
export function measuresOf(evidence: CanaryEvidence, minutes: number): Measure[] {
  const { canary, live, rule, windowMinutes } = evidence;
  return [{ name: 'failures', canary, live }, ...evidence.speed].map((compared) => ({
    ...compared,
    verdict: judge({ ...compared, rule, windowMinutes }, minutes),
  }));
}

const MINUTE_MS = 60_000;

/** Minutes since the canary got its present share; `now` in ms since 1970. */
export const canaryMinutes = (
  { canarySince }: Pick<RoomRemote, 'canarySince'>,
  { windowMinutes }: CanaryEvidence,
  now: number,
): number => (canarySince === undefined ? windowMinutes : (now - Date.parse(canarySince)) / MINUTE_MS);
