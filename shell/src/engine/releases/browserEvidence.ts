import type { shellReportSchema } from '@forecourt/releases/shellReport';
import { Counter, type Registry } from 'prom-client';
import type { z } from 'zod';
import type { SlotPlacement } from '../layout/placement.ts';
import type { LoadedRelease } from '../rendering/release.ts';
import {
  type BrowserFailure,
  type BrowserFigures,
  type BrowserVital,
  type CountedFailure,
  createBrowserFailures,
  type FailureClaims,
  type ReportOutcome,
} from './browserFailures.ts';
import type { CanaryWatch } from './canaryWatch.ts';
import type { PredecessorWatch } from './predecessorWatch.ts';
import type { LiveRemotes, Snapshot } from './snapshot.ts';
import { FigureSamples } from './figureSamples.ts';
import { Tally } from './tally.ts';

type BrowserHealth = NonNullable<z.infer<typeof shellReportSchema>['slots'][number]['browser']>;

/** The counts of a report; ms. */
const WINDOW_MS = 10 * 60_000;
/** Releases that are reported; the one without a view for the longest time is dropped first. */
const MAX_RELEASES = 50;
const MAX_MESSAGE = 500;

/** How a slot of a release fares in browsers. */
class SlotViews {
  readonly #views = new Tally(WINDOW_MS);
  readonly #phases = new Map<string, Tally>();
  readonly #figures = new FigureSamples(WINDOW_MS);
  #lastFailure: BrowserHealth['lastFailure'];

  measure(figures: BrowserFigures['figures'], now: number): void {
    this.#figures.add(figures, now);
  }

  sent(now: number): void {
    this.#views.add(true, now);
  }

  fail({ phase, message }: Pick<CountedFailure, 'phase' | 'message'>, now: number): void {
    // A failed download is tried again.
    if (phase !== 'load') this.#views.turn(now);
    const tally = this.#phases.get(phase) ?? new Tally(WINDOW_MS);
    this.#phases.set(phase, tally);
    tally.add(false, now);
    this.#lastFailure = {
      at: new Date(now).toISOString(),
      code: phase,
      message: message.slice(0, MAX_MESSAGE),
    };
  }

  health(now: number): BrowserHealth {
    const figures = this.#figures.summary(now);
    const phases = [...this.#phases].map(([phase, tally]) => [phase, tally.health(now).bad] as const);
    return {
      ...this.#views.health(now),
      phases: Object.fromEntries(phases.filter(([, failures]) => failures > 0)),
      ...(this.#lastFailure && { lastFailure: this.#lastFailure }),
      ...(figures && { figures }),
    };
  }
}

/** How slots fare in browsers, by release: for canaries, for live releases, for metrics and for people. */
export interface BrowserEvidence {
  /** A page with these slots was sent to a visitor. */
  readonly sent: (layout: readonly SlotPlacement[], snapshot: Snapshot) => void;
  readonly report: (failure: BrowserFailure) => ReportOutcome;
  readonly reportVital: (vital: BrowserVital) => ReportOutcome;
  readonly reportFigures: (figures: BrowserFigures) => void;
  /** Release and slot to what its browsers reported lately. */
  readonly slots: () => readonly {
    readonly release: string;
    readonly slot: string;
    readonly browser: BrowserHealth;
  }[];
}

export function createBrowserEvidence({
  live,
  claims,
  canaries,
  predecessors,
  requiredSlots,
  metrics,
  now,
}: {
  readonly live: () => LiveRemotes;
  readonly claims: Pick<FailureClaims, 'read'>;
  readonly canaries?: CanaryWatch | undefined;
  readonly predecessors: PredecessorWatch;
  readonly requiredSlots: ReadonlyMap<string, ReadonlySet<string>>;
  readonly metrics: Registry;
  readonly now: () => number;
}): BrowserEvidence {
  const views = new Counter({
    name: 'forecourt_browser_slot_views_total',
    help: 'Slots in pages that were sent to browsers, by release; `required`: the page needs it',
    labelNames: ['slot', 'release', 'required'],
    registers: [metrics],
  });
  const failures = new Counter({
    name: 'forecourt_browser_slot_failures_total',
    help: 'Slots that failed in browsers, by release and phase, each visitor once an hour',
    labelNames: ['slot', 'release', 'required', 'phase'],
    registers: [metrics],
  });
  const releases = new Map<string, Map<string, SlotViews>>();

  function viewsOf(release: string, slot: string): SlotViews {
    const slots = releases.get(release) ?? new Map<string, SlotViews>();
    // Inserted at the end: the first release is the one without a view for the longest time.
    releases.delete(release);
    releases.set(release, slots);
    const [oldest] = releases.keys();
    if (releases.size > MAX_RELEASES && oldest !== undefined) releases.delete(oldest);
    const found = slots.get(slot) ?? new SlotViews();
    slots.set(slot, found);
    return found;
  }

  const labelsOf = (remote: string, release: string, slot: string) => ({
    slot,
    release,
    required: String(requiredSlots.get(remote)?.has(slot) === true),
  });

  /** By id: an override of the same version is not counted. */
  const isServed = ({ id, manifest }: LoadedRelease): boolean => {
    const pointer = live().get(manifest.name);
    return pointer?.live.id === id || pointer?.canary?.release.id === id;
  };

  const { report, reportVital, reportFigures } = createBrowserFailures({
    live,
    claims,
    now,
    count(failure) {
      const { remote, version, slot, phase } = failure;
      const release = `${remote}@${version}`;
      failures.inc({ ...labelsOf(remote, release, slot), phase });
      viewsOf(release, slot).fail(failure, now());
      if (phase === 'load') return;
      canaries?.recordFailedView({ remote, version, name: slot });
      predecessors.recordFailedView({ remote, version, name: slot });
    },
    recordVital: (outcome) => canaries?.record(outcome),
    measure: ({ release, slot }, figures) => viewsOf(release, slot).measure(figures, now()),
  });

  return {
    sent(layout, snapshot) {
      for (const { slot, source } of layout) {
        const release = source === 'shell' ? undefined : snapshot.get(source.remote);
        if (!release || !Object.hasOwn(release.manifest.slots, slot) || !isServed(release)) continue;
        const { name: remote, version } = release.manifest;
        viewsOf(release.id, slot).sent(now());
        views.inc(labelsOf(remote, release.id, slot));
        const outcome = { remote, version, isGood: true, kind: 'browser', name: slot } as const;
        canaries?.record(outcome);
        predecessors.record(outcome);
      }
    },
    report,
    reportVital,
    reportFigures,
    slots: () =>
      [...releases].flatMap(([release, slots]) =>
        [...slots].map(([slot, one]) => ({ release, slot, browser: one.health(now()) })),
      ),
  };
}
