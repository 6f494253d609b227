import { canaryRules, evidenceOf, judgeCanary, type Outcomes } from '@forecourt/releases/canaryRule';
import type { Measured } from './canaryWatch.ts';
import type { LiveRemotes } from './snapshot.ts';
import { Tally } from './tally.ts';

/** A release is compared for so long after it became live, with so long before; ms. */
const COMPARED_MS = 60 * 60_000;

/** A slot of a live release that fails more often than in the release that was live before. */
export interface WorseRelease {
  readonly remote: string;
  readonly version: string;
  /** Version to which a rollback leads. */
  readonly previous: string;
  readonly slot: string;
  readonly where: 'server' | 'browser';
  /** Of the two releases. */
  readonly outcomes: { readonly now: Outcomes; readonly before: Outcomes };
}

/** 'it fails on servers in 12 of 300, 1.4.0 in 1 of 5000' */
export function describeWorse({ where, previous, outcomes: { now, before } }: WorseRelease): string {
  const share = ({ good, bad }: Outcomes) => `${bad} of ${good + bad}`;
  const place = where === 'server' ? 'on servers' : 'in browsers';
  return `it fails ${place} in ${share(now)}, ${previous} in ${share(before)}`;
}

interface LiveOutcomes {
  readonly version: string;
  readonly since: number;
  readonly tallies: Map<string, Tally>;
  /** The release before it with its outcomes; undefined for the first one of this shell. */
  readonly previous:
    | { readonly version: string; readonly outcomes: ReadonlyMap<string, Outcomes> }
    | undefined;
  worse: WorseRelease | undefined;
}

export interface PredecessorWatchOptions {
  readonly live: () => LiveRemotes;
  /** Remote to its required slots, which are judged more strictly. */
  readonly requiredSlots: ReadonlyMap<string, ReadonlySet<string>>;
  /** Called once for each live release that is worse than its predecessor. */
  readonly onWorse: (worse: WorseRelease) => void;
  readonly now: () => number;
}

type Outcome = { remote: string; version: string; isGood: boolean } & Measured;

/**
 * Compares a live release in its first hour with the last hour of its predecessor, slot by slot, by the rule for canaries.
 * The two were not live at the same time, so what else has changed counts as well: a person decides.
 */
export function watchPredecessors({ live, requiredSlots, onWorse, now }: PredecessorWatchOptions) {
  /** By remote. */
  const remotes = new Map<string, LiveOutcomes>();

  function currentOf(remote: string): LiveOutcomes | undefined {
    const version = live().get(remote)?.live.manifest.version;
    const known = remotes.get(remote);
    if (version === undefined || known?.version === version) return known;
    const before = known && {
      version: known.version,
      outcomes: new Map([...known.tallies].map(([key, tally]) => [key, tally.health(now())])),
    };
    const current: LiveOutcomes = {
      version,
      since: now(),
      tallies: new Map(),
      previous: before,
      worse: undefined,
    };
    remotes.set(remote, current);
    return current;
  }

  function judge(current: LiveOutcomes, { remote, kind, name }: Outcome, key: string): void {
    const { previous, version, since, tallies, worse } = current;
    if (!previous || worse || kind === 'vital' || now() - since > COMPARED_MS) return;
    const before = previous.outcomes.get(key);
    const outcomes = tallies.get(key)?.health(now());
    if (!before || !outcomes) return;
    const slots = Object.keys(live().get(remote)?.live.manifest.slots ?? {});
    const required = requiredSlots.get(remote) ?? new Set();
    const requiredCount = slots.filter((slot) => required.has(slot)).length;
    const rules = canaryRules({ required: 2 * requiredCount, optional: 2 * (slots.length - requiredCount) });
    const compared = { canary: outcomes, live: before, evidence: evidenceOf(outcomes, before) };
    const rule = rules[required.has(name) ? 'required' : 'optional'];
    if (judgeCanary(compared, rule) !== 'worse') return;
    current.worse = {
      remote,
      version,
      previous: previous.version,
      slot: name,
      where: kind,
      outcomes: { now: outcomes, before },
    };
    onWorse(current.worse);
  }

  function add(outcome: Outcome, isKnown: boolean): void {
    const { remote, version, kind, name, isGood } = outcome;
    const current = currentOf(remote);
    if (current?.version !== version) return;
    const key = `${kind} ${name}`;
    const tally = current.tallies.get(key) ?? new Tally(COMPARED_MS);
    current.tallies.set(key, tally);
    if (isKnown) tally.turn(now());
    else tally.add(isGood, now());
    if (!isGood) judge(current, outcome, key);
  }

  return {
    /** One render or view of a slot. */
    record: (outcome: Outcome): void => add(outcome, false),
    /** A view of a slot was counted as good when its page was sent, and has failed since. */
    recordFailedView: (outcome: { remote: string; version: string; name: string }): void =>
      add({ ...outcome, isGood: false, kind: 'browser' }, true),
    /** Live releases that are worse than their predecessors, until others are live. */
    worse: (): WorseRelease[] =>
      [...live().keys()].flatMap((remote) => {
        const worse = currentOf(remote)?.worse;
        return worse ? [worse] : [];
      }),
  };
}

export type PredecessorWatch = ReturnType<typeof watchPredecessors>;
