import {
  type CanaryVerdict,
  judgeCanary,
  type Outcomes,
  outcomesUntilFine,
  totalOf,
} from '@forecourt/releases/canaryRule';
import type { SlotFigure, SlotFigures } from '@forecourt/releases/slotFigures';
import type { RoomBoard, RoomRemote, ShellReport } from './roomView.ts';

const add = (a: Outcomes, b: Outcomes): Outcomes => ({ good: a.good + b.good, bad: a.bad + b.bad });
const NONE: Outcomes = { good: 0, bad: 0 };

const reportsOf = ({ shells }: Pick<RoomBoard, 'shells'>): readonly ShellReport[] =>
  shells.flatMap(({ report }) => (report ? [report] : []));

type ReportedSlot = ShellReport['slots'][number];

/** Outcomes on servers or in browsers, with the newest failure. */
export interface PlaceHealth extends Outcomes {
  readonly lastFailure: ReportedSlot['lastFailure'];
}

export interface SlotHealth {
  readonly slot: string;
  readonly server: PlaceHealth;
  /** Failures also by phase: downloads that failed (`load`) are not bad views. */
  readonly browser: PlaceHealth & {
    readonly phases: Readonly<Record<string, number>>;
    readonly figures: SlotFigures;
  };
}

const newestOf = (all: readonly Pick<ReportedSlot, 'lastFailure'>[]): PlaceHealth['lastFailure'] =>
  all
    .flatMap(({ lastFailure }) => lastFailure ?? [])
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .at(0);

/** Of all replicas: the percentiles, each by its number of views. */
function joinFigures(reported: readonly (SlotFigures | undefined)[]): SlotFigures {
  const joined: SlotFigures = {};
  for (const figures of reported)
    for (const [key, { p75, views }] of Object.entries(figures ?? {})) {
      const name = key as SlotFigure;
      const known = joined[name] ?? { p75: 0, views: 0 };
      const sum = known.views + views;
      joined[name] = { p75: (known.p75 * known.views + p75 * views) / sum, views: sum };
    }
  return joined;
}

function slotHealth(slot: string, reported: readonly ReportedSlot[]): SlotHealth {
  const browsers = reported.flatMap(({ browser }) => browser ?? []);
  const phases: Record<string, number> = {};
  for (const browser of browsers)
    for (const [phase, failures] of Object.entries(browser.phases))
      phases[phase] = (phases[phase] ?? 0) + failures;
  return {
    slot,
    server: { ...reported.reduce<Outcomes>(add, NONE), lastFailure: newestOf(reported) },
    browser: {
      ...browsers.reduce<Outcomes>(add, NONE),
      phases,
      lastFailure: newestOf(browsers),
      figures: joinFigures(browsers.map(({ figures }) => figures)),
    },
  };
}

const failuresOf = ({ server, browser }: SlotHealth): number => server.bad + browser.bad;

/** The slots of a release over all replicas, most failures first. */
export function slotsOf(board: RoomBoard, release: string): SlotHealth[] {
  const all = reportsOf(board).flatMap(({ slots }) => slots.filter((slot) => slot.release === release));
  return [...Map.groupBy(all, ({ slot }) => slot)]
    .map(([slot, reported]) => slotHealth(slot, reported))
    .sort((a, b) => failuresOf(b) - failuresOf(a) || a.slot.localeCompare(b.slot));
}

/** All renders of a release's slots on servers. */
export const healthOf = (board: RoomBoard, release: string): Outcomes =>
  slotsOf(board, release).reduce<Outcomes>((sum, { server }) => add(sum, server), NONE);

/** All views of a release's slots in browsers. */
export const viewsOf = (board: RoomBoard, release: string): Outcomes =>
  slotsOf(board, release).reduce<Outcomes>((sum, { browser }) => add(sum, browser), NONE);

type ReportedMeasure = ShellReport['canaries'][number]['measures'][number];

/** What all shells say about one measure of a canary. */
export type MeasureEvidence = Omit<ReportedMeasure, 'canary' | 'live'> & {
  readonly canary: Outcomes;
  readonly live: Outcomes;
};

export interface CanaryEvidence {
  /** Required slots first, then those that failed most, then web vitals; servers before browsers. */
  readonly measures: readonly MeasureEvidence[];
  /** Shells that reported the canary. */
  readonly shells: number;
}

/** The outcomes that a canary's measures compare; minutes. */
export const COMPARED_MINUTES = 60;

/** Shells have different visitors, so their evidence multiplies. */
const addMeasures = (all: readonly [ReportedMeasure, ...ReportedMeasure[]]): MeasureEvidence => ({
  ...all[0],
  canary: all.reduce<Outcomes>((sum, { canary }) => add(sum, canary), NONE),
  live: all.reduce<Outcomes>((sum, { live }) => add(sum, live), NONE),
  evidence: all.reduce((product, { evidence }) => product * evidence, 1),
});

/** The canary of a remote against its live release, over all replicas. */
export function canaryEvidence(
  board: Pick<RoomBoard, 'shells'>,
  { name, pointer }: Pick<RoomRemote, 'name' | 'pointer'>,
): CanaryEvidence {
  const reports = reportsOf(board).flatMap(({ canaries }) =>
    canaries.filter(({ remote, version }) => remote === name && version === pointer.canary?.version),
  );
  const measures = Map.groupBy(
    reports.flatMap((report) => report.measures),
    (measure) => `${measure.kind} ${measure.name}`,
  );
  const rank = ({ kind, isRequired }: MeasureEvidence) => (kind === 'vital' ? 2 : isRequired ? 0 : 1);
  return {
    measures: [...measures.values()]
      .map((all) => addMeasures(all as [ReportedMeasure, ...ReportedMeasure[]]))
      .sort(
        (a, b) =>
          rank(a) - rank(b) ||
          b.canary.bad - a.canary.bad ||
          a.name.localeCompare(b.name) ||
          b.kind.localeCompare(a.kind),
      ),
    shells: reports.length,
  };
}

export interface Verdict {
  readonly kind: CanaryVerdict;
  /** While undecided: minutes until the evidence suffices at the present rate; undefined if it never will, or without outcomes. */
  readonly minutesLeft?: number;
}

/** What the rule says about a measure, and, while it is undecided, when it will be able to tell. */
export function forecast(measure: MeasureEvidence, minutesRunning: number): Verdict {
  const { canary, live, rule } = measure;
  const kind = judgeCanary(measure, rule);
  const perMinute = totalOf(canary) / Math.min(COMPARED_MINUTES, Math.max(minutesRunning, 0.1));
  if (kind !== 'undecided' || perMinute === 0) return { kind };
  const minutesLeft = (outcomesUntilFine(canary, live, rule) - totalOf(canary)) / perMinute;
  return Number.isFinite(minutesLeft) ? { kind, minutesLeft } : { kind };
}

/** One measure of a canary with its verdict. */
export type Measure = MeasureEvidence & { readonly verdict: Verdict };

/** Every measure of a canary. */
export const measuresOf = ({ measures }: CanaryEvidence, minutes: number): Measure[] =>
  measures.map((measure) => ({ ...measure, verdict: forecast(measure, minutes) }));

const MINUTE_MS = 60_000;

/** Minutes since the canary got its present share; `now` in ms since 1970. */
export const canaryMinutes = ({ canarySince }: Pick<RoomRemote, 'canarySince'>, now: number): number =>
  canarySince === undefined ? COMPARED_MINUTES : (now - Date.parse(canarySince)) / MINUTE_MS;

/** The slot of a live release that is most clearly worse than in the release before, if a shell says so. */
export const worseThanPrevious = (
  board: Pick<RoomBoard, 'shells'>,
  { name, pointer }: Pick<RoomRemote, 'name' | 'pointer'>,
): ShellReport['worse'][number] | undefined =>
  reportsOf(board)
    .flatMap(({ worse }) => worse)
    .filter(({ remote, version }) => remote === name && version === pointer.live)
    .sort((a, b) => b.outcomes.now.bad - a.outcomes.now.bad)[0];
