import type { Refusal } from '@forecourt/releases/gate';
import type { shellReportSchema } from '@forecourt/releases/shellReport';
import type { z } from 'zod';
import type { SlotFailure, SlotMetrics } from '../compose/renderSlots.ts';
import type { BrowserEvidence } from '../releases/browserEvidence.ts';
import type { CanaryWatch } from '../releases/canaryWatch.ts';
import type { PredecessorWatch } from '../releases/predecessorWatch.ts';
import { Tally } from '../releases/tally.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';

/** The counts of a report; ms. */
const WINDOW_MS = 10 * 60_000;
/** A failure is reported as recent for so long; ms. */
const RECENT_MS = 60_000;
/** Releases that are reported; the one without a render for the longest time is dropped first. */
const MAX_RELEASES = 50;
/** A release writes its messages itself. */
const MAX_MESSAGE = 500;
const MAX_STACK = 2_000;

type ShellReport = z.infer<typeof shellReportSchema>;

/** Code of the last failure, by slot. */
type FailuresBySlot = Readonly<Record<string, string>>;

interface SlotEntry {
  readonly tally: Tally;
  lastFailure?: { readonly at: Date; readonly code: string } & SlotFailure;
}

export interface SlotFailures {
  /** Adds a record of outcomes to the metrics. */
  readonly observe: (metrics: SlotMetrics) => SlotMetrics;
  /** Releases ('mfe-results@1.4.0') whose slots showed their fallback within the last minute, for `/health/ready`. */
  readonly recent: () => Readonly<Record<string, FailuresBySlot>>;
  /** Outcomes of every slot within the window, with its last failure. */
  readonly slots: () => ShellReport['slots'];
}

/** Records how the slots of each release render. */
export function createSlotFailures(clock: () => Date): SlotFailures {
  const releases = new Map<string, Map<string, SlotEntry>>();
  const now = () => clock().getTime();

  function entryOf(release: string, slot: string): SlotEntry {
    const slots = releases.get(release) ?? new Map<string, SlotEntry>();
    // Inserted at the end: the first release is the one without a render for the longest time.
    releases.delete(release);
    releases.set(release, slots);
    const [oldest] = releases.keys();
    if (releases.size > MAX_RELEASES && oldest !== undefined) releases.delete(oldest);
    const entry = slots.get(slot) ?? { tally: new Tally(WINDOW_MS) };
    slots.set(slot, entry);
    return entry;
  }

  return {
    observe: (metrics) => ({
      ...metrics,
      start(slot, release) {
        const stop = metrics.start(slot, release);
        return (outcome, failure) => {
          stop(outcome, failure);
          // Slots without a release are listed as missing.
          if (!release.includes('@') || outcome === 'CANCELLED') return;
          const entry = entryOf(release, slot);
          // What waited for the machine says nothing about the release, but is worth a look.
          if (!failure?.isOfMachine) entry.tally.add(outcome === 'ok', now());
          if (outcome === 'ok') return;
          const { message = '', stack } = failure ?? {};
          entry.lastFailure = {
            at: clock(),
            code: outcome,
            message: message.slice(0, MAX_MESSAGE),
            stack: stack?.slice(0, MAX_STACK),
          };
        };
      },
    }),
    recent() {
      const since = now() - RECENT_MS;
      const recent: Record<string, FailuresBySlot> = {};
      for (const [release, slots] of releases)
        for (const [slot, { lastFailure }] of slots)
          if (lastFailure && lastFailure.at.getTime() > since)
            recent[release] = { ...recent[release], [slot]: lastFailure.code };
      return recent;
    },
    slots: () =>
      [...releases].flatMap(([release, slots]) =>
        [...slots].map(([slot, { tally, lastFailure }]) => ({
          release,
          slot,
          ...tally.health(now()),
          ...(lastFailure && { lastFailure: { ...lastFailure, at: lastFailure.at.toISOString() } }),
        })),
      ),
  };
}

/** What servers and browsers say about each slot. */
function joinSlots(
  servers: ShellReport['slots'],
  browsers: ReturnType<BrowserEvidence['slots']>,
): ShellReport['slots'] {
  const rendered = new Map(servers.map((one) => [`${one.release} ${one.slot}`, one]));
  const viewed = new Map(browsers.map((one) => [`${one.release} ${one.slot}`, one]));
  return [...new Set([...rendered.keys(), ...viewed.keys()])].flatMap((key) => {
    const [server, view] = [rendered.get(key), viewed.get(key)];
    const base = server ?? (view && { release: view.release, slot: view.slot, good: 0, bad: 0 });
    return base ? [{ ...base, ...(view && { browser: view.browser }) }] : [];
  });
}

/** What this shell serves and how its releases fare, for `GET /releases/report`. */
export const createReleaseReport = (
  {
    releases,
    canaries,
    predecessors,
    browsers,
    clock,
  }: {
    readonly releases: {
      readonly live: () => LiveRemotes;
      readonly revision?: () => number | undefined;
      readonly refused?: () => ReadonlyMap<string, readonly Refusal[]>;
    };
    readonly canaries?: CanaryWatch;
    readonly predecessors: Pick<PredecessorWatch, 'worse'>;
    readonly browsers: Pick<BrowserEvidence, 'slots'>;
    readonly clock: () => Date;
  },
  status: () => string,
  slotFailures: SlotFailures,
): (() => ShellReport) => {
  const startedAt = clock().toISOString();
  return () => ({
    status: status(),
    startedAt,
    revision: releases.revision?.(),
    windowMinutes: WINDOW_MS / 60_000,
    remotes: Object.fromEntries(
      [...releases.live()].map(([name, { live, canary }]) => [
        name,
        {
          live: live.manifest.version,
          ...(canary && {
            canary: { version: canary.release.manifest.version, weight: canary.weight },
          }),
        },
      ]),
    ),
    refused: Object.fromEntries(
      [...(releases.refused?.() ?? [])].map(([release, refusals]) => [release, [...refusals]]),
    ),
    canaries: canaries?.evidence() ?? [],
    worse: predecessors.worse(),
    slots: joinSlots(slotFailures.slots(), browsers.slots()),
  });
};
