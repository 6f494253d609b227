import {
  canaryRules,
  type CanaryRule,
  Evidence,
  judgeCanary,
  type Outcomes,
} from '@forecourt/releases/canaryRule';
import { releaseId } from '../rendering/release.ts';
import type { LiveRemotes } from './snapshot.ts';
import { Tally } from './tally.ts';

/** Outcomes older than this are not compared; ms. */
const WINDOW_MS = 60 * 60_000;

export interface CanaryWatchOptions {
  readonly live: () => LiveRemotes;
  /** Remote to its required slots, which are judged more strictly. */
  readonly requiredSlots: ReadonlyMap<string, ReadonlySet<string>>;
  /** Called once for a canary that is worse than the live release. */
  readonly onWorse: (canary: { remote: string; version: string; reason: string }) => void;
  /** ms since any epoch. */
  readonly now: () => number;
}

export type CanaryWatch = ReturnType<typeof watchCanaries>;

/** The longest good times of the vitals that are compared; ms (https://web.dev/articles/vitals). */
export const GOOD_VITAL_MS = { LCP: 2_500, INP: 200 } as const;
export type ComparedVital = keyof typeof GOOD_VITAL_MS;
export const COMPARED_VITALS = Object.keys(GOOD_VITAL_MS) as ComparedVital[];

/**
 * What is compared, each by itself, so that no success hides a failure elsewhere: a slot in renders of servers or in views of
 * browsers, or a vital of pages.
 */
export type Measured =
  | { readonly kind: 'server' | 'browser'; readonly name: string }
  | { readonly kind: 'vital'; readonly name: ComparedVital };

const PLACES = { server: 'on servers', browser: 'in browsers' } as const;

const shareText = ({ good, bad }: Outcomes) => `${bad} of ${good + bad}`;

function describeWorse(measured: Measured, canary: Outcomes, version: string, live: Outcomes): string {
  const within = `within ${WINDOW_MS / 60_000} minutes`;
  return measured.kind === 'vital'
    ? `${measured.name} was slow in ${shareText(canary)} measurements with the canary, in ${shareText(live)} with ${version} ${within}`
    : `slot ${measured.name} failed ${PLACES[measured.kind]} ${shareText(canary)} times in the canary, ${shareText(live)} times in ${version} ${within}`;
}

interface Comparison {
  readonly measured: Measured;
  readonly canary: Tally;
  readonly live: Tally;
  readonly evidence: Evidence;
}

/** The measures of one canary, from its first outcome. */
class ComparedCanary {
  readonly canaryId: string;
  readonly liveId: string;
  readonly #comparisons = new Map<string, Comparison>();
  readonly #rules: ReturnType<typeof canaryRules>;
  readonly #required: ReadonlySet<string>;
  isEnded = false;

  constructor(canaryId: string, liveId: string, slots: readonly string[], required: ReadonlySet<string>) {
    this.canaryId = canaryId;
    this.liveId = liveId;
    this.#required = required;
    const requiredCount = slots.filter((slot) => required.has(slot)).length;
    // Each slot is measured on servers and in browsers.
    this.#rules = canaryRules({
      required: 2 * requiredCount,
      optional: 2 * (slots.length - requiredCount) + COMPARED_VITALS.length,
    });
  }

  of(measured: Measured, now: number): Comparison {
    const key = `${measured.kind} ${measured.name}`;
    const comparison = this.#comparisons.get(key) ?? {
      measured,
      canary: new Tally(WINDOW_MS),
      live: new Tally(WINDOW_MS),
      evidence: new Evidence(now),
    };
    this.#comparisons.set(key, comparison);
    return comparison;
  }

  isRequired({ kind, name }: Measured): boolean {
    return kind !== 'vital' && this.#required.has(name);
  }

  ruleOf(measured: Measured): CanaryRule {
    return this.#rules[this.isRequired(measured) ? 'required' : 'optional'];
  }

  /** Required slots first. */
  evidence(now: number) {
    return [...this.#comparisons.values()]
      .map(({ measured, canary, live, evidence }) => ({
        kind: measured.kind,
        name: measured.name as string,
        ...(measured.kind === 'vital' && { goodMs: GOOD_VITAL_MS[measured.name] }),
        isRequired: this.isRequired(measured),
        canary: canary.health(now),
        live: live.health(now),
        evidence: evidence.value(),
        rule: this.ruleOf(measured),
      }))
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  }
}

/** Compares each canary with the live release of its remote, measure by measure. */
export function watchCanaries({ live, requiredSlots, onWorse, now }: CanaryWatchOptions) {
  /** By remote. */
  const compared = new Map<string, ComparedCanary>();

  /** The comparison of the remote's canary; undefined without one. */
  function comparedOf(remote: string) {
    const pointer = live().get(remote);
    if (!pointer?.canary) {
      compared.delete(remote);
      return undefined;
    }
    const { release, weight } = pointer.canary;
    const canaryId = releaseId(remote, release.manifest.version);
    const liveId = releaseId(remote, pointer.live.manifest.version);
    let found = compared.get(remote);
    if (found?.canaryId !== canaryId || found.liveId !== liveId) {
      const slots = Object.keys(release.manifest.slots);
      found = new ComparedCanary(canaryId, liveId, slots, requiredSlots.get(remote) ?? new Set());
      compared.set(remote, found);
    }
    return { ...pointer, canary: found, weight: weight / 100, version: release.manifest.version };
  }

  /** Adds an outcome; `isKnown`: as a success that was counted before. */
  function add(
    { remote, version, isGood }: { remote: string; version: string; isGood: boolean },
    measured: Measured,
    isKnown: boolean,
  ): void {
    const found = comparedOf(remote);
    if (!found) return;
    const { canary, weight } = found;
    const id = releaseId(remote, version);
    if (id !== canary.canaryId && id !== canary.liveId) return;
    const side = id === canary.canaryId ? 'canary' : 'live';
    const at = now();
    const comparison = canary.of(measured, at);
    if (isKnown) comparison[side].turn(at);
    else comparison[side].add(isGood, at);
    comparison.evidence.add(side, isGood, weight, at);
    if (isGood || side === 'live' || canary.isEnded) return;
    const outcomes = { canary: comparison.canary.health(at), live: comparison.live.health(at) };
    const evidence = comparison.evidence.value();
    if (judgeCanary({ ...outcomes, evidence }, canary.ruleOf(measured)) !== 'worse') return;
    canary.isEnded = true;
    const { version: current } = found.live.manifest;
    onWorse({
      remote,
      version,
      reason: describeWorse(measured, outcomes.canary, current, outcomes.live),
    });
  }

  return {
    /** One render or view of a slot, or one measurement of a page with the release. */
    record: (outcome: { remote: string; version: string; isGood: boolean } & Measured): void =>
      add(outcome, outcome, false),
    /** A view of a slot was counted as good when its page was sent, and has failed since. */
    recordFailedView: (outcome: { remote: string; version: string; name: string }): void =>
      add({ ...outcome, isGood: false }, { kind: 'browser', name: outcome.name }, true),
    /** Every canary with its outcomes and measurements, and those of the live release, for people who decide about it. */
    evidence: () =>
      [...live().keys()].flatMap((remote) => {
        const found = comparedOf(remote);
        return found ? [{ remote, version: found.version, measures: found.canary.evidence(now()) }] : [];
      }),
  };
}
