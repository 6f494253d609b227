import {
  CANARY_RULE,
  type CanaryVerdict,
  judgeCanary,
  type Outcomes,
  outcomesUntilFine,
  totalOf,
} from '@forecourt/releases/canaryRule';
import type { RoomBoard, RoomRemote, ShellReport } from './roomView.ts';

const add = (a: Outcomes, b: Outcomes): Outcomes => ({ good: a.good + b.good, bad: a.bad + b.bad });
const NONE: Outcomes = { good: 0, bad: 0 };

const reportsOf = ({ shells }: Pick<RoomBoard, 'shells'>): readonly ShellReport[] =>
  shells.flatMap(({ report }) => (report ? [report] : []));

export type SlotHealth = Outcomes & {
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
export const healthOf = (board: RoomBoard, release: string): Outcomes =>
  slotsOf(board, release).reduce<Outcomes>(add, NONE);

/** What is compared, of the canary and of the live release. */
interface Compared {
  readonly canary: Outcomes;
  readonly live: Outcomes;
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
  canary: all.reduce<Outcomes>((sum, { canary }) => add(sum, canary), NONE),
  live: all.reduce<Outcomes>((sum, { live }) => add(sum, live), NONE),
});

/** The canary of a remote against its live release, over all replicas. */
export function canaryEvidence(
  board: Pick<RoomBoard, 'shells'>,
  { name, pointer }: Pick<RoomRemote, 'name' | 'pointer'>,
): CanaryEvidence {
  const reports = reportsOf(board);
  const canaryReports = reports.flatMap(({ canaries }) =>
    canaries.filter(({ remote, version }) => remote === name && version === pointer.canary?.version),
  );
  const vitals = Map.groupBy(
    canaryReports.flatMap(({ speed }) => speed),
    ({ name }) => name,
  );
  return {
    ...addCompared(canaryReports),
    speed: [...vitals].map(([name, all]) => ({ name, goodMs: all[0]?.goodMs ?? 0, ...addCompared(all) })),
    shells: canaryReports.length,
    rule: canaryReports[0]?.rule,
    windowMinutes: reports[0]?.windowMinutes ?? 10,
  };
}

export type Verdict =
  | { readonly kind: Exclude<CanaryVerdict, 'undecided'> | 'share-too-small' }
  /** Minutes until the evidence suffices at the present rate; undefined without any outcomes. */
  | { readonly kind: 'undecided'; readonly minutesLeft: number | undefined };

/** What `forecast` reads. */
type Judged = Compared & Pick<CanaryEvidence, 'rule' | 'windowMinutes'>;

/** What the rule says about the canary, and, while it is undecided, when it will be able to tell. */
export function forecast(
  { canary, live, rule = CANARY_RULE, windowMinutes }: Judged,
  minutesRunning: number,
): Verdict {
  const kind = judgeCanary(canary, live, rule);
  if (kind !== 'undecided') return { kind };
  const perMinute = totalOf(canary) / Math.min(windowMinutes, Math.max(minutesRunning, 0.1));
  if (perMinute === 0) return { kind, minutesLeft: undefined };
  const outcomesNeeded = outcomesUntilFine(canary, live, rule);
  if (outcomesNeeded > perMinute * windowMinutes) return { kind: 'share-too-small' };
  return { kind, minutesLeft: (outcomesNeeded - totalOf(canary)) / perMinute };
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
    verdict: forecast({ ...compared, rule, windowMinutes }, minutes),
  }));
}

const MINUTE_MS = 60_000;

/** Minutes since the canary got its present share; `now` in ms since 1970. */
export const canaryMinutes = (
  { canarySince }: Pick<RoomRemote, 'canarySince'>,
  { windowMinutes }: CanaryEvidence,
  now: number,
): number => (canarySince === undefined ? windowMinutes : (now - Date.parse(canarySince)) / MINUTE_MS);
