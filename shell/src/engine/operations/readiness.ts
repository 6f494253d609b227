import type { Refusal } from '@forecourt/releases/gate';
import { type PageLayouts, requiredSlots } from '../layout/permissions.ts';
import type { Site } from '../site.ts';
import type { LoadLevel } from '../load/pageLoad.ts';
import type { SuspiciousPointers } from '../releases/registryClient.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import type { SlotFailures } from './slotFailures.ts';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChosenSandbox } from '../rendering/process/sandbox.ts';
import type { ReleaseHealth, RendererEvent } from '../rendering/process/supervisor.ts';

/** How releases are isolated from this shell, and how their processes fare. */
export interface Isolation {
  /** Undefined where releases are rendered inline only. */
  readonly chosen: ChosenSandbox | undefined;
  readonly health: () => readonly ReleaseHealth[];
}

/** For `/health/ready`. */
function describeIsolation({ chosen, health }: Isolation): object {
  return {
    level: chosen?.sandbox.level ?? 'none',
    notes: chosen?.sandbox.notes ?? ['releases run inside the shell: for development only'],
    notChosen: chosen?.refused ?? [],
    trouble: Object.fromEntries(
      health()
        .filter(({ trouble }) => trouble !== undefined)
        .map(({ release, trouble, isPaused }) => [release, { reason: trouble, isPaused }]),
    ),
  };
}

/** Gauges of the level, of each release's memory and pause, and the counter of deaths. */
export function createIsolationMetrics(registry: Registry, { chosen, health }: Isolation): void {
  new Gauge({
    name: 'forecourt_release_sandbox',
    help: 'Level of the sandbox of releases: 1 for the level in use',
    labelNames: ['level'],
    registers: [registry],
  }).set({ level: chosen?.sandbox.level ?? 'none' }, 1);
  const gauge = (name: string, help: string, valueOf: (release: ReleaseHealth) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['release'],
      registers: [registry],
      collect() {
        this.reset();
        for (const one of health()) this.set({ release: one.release }, valueOf(one));
      },
    });
  gauge(
    'forecourt_release_process_bytes',
    'Resident memory of the process, by release',
    ({ memory }) => memory,
  );
  gauge(
    'forecourt_release_process_cpu_seconds',
    'CPU time of the current process, by release; it starts again with each process',
    ({ cpuMs }) => cpuMs / 1000,
  );
  gauge(
    'forecourt_release_dropped_lines',
    'Lines that a release printed and the log does not have, because there were too many',
    ({ droppedLines }) => droppedLines,
  );
  gauge(
    'forecourt_release_paused',
    '1 while a release is not rendered because it died too often',
    ({ isPaused }) => Number(isPaused),
  );
  createShellTimeMetric(registry, health);
}

/** Gauges of what releases cost the shell's own thread. */
function createShellTimeMetric(registry: Registry, health: Isolation['health']): void {
  new Gauge({
    name: 'forecourt_release_shell_cpu_seconds',
    help: 'CPU time of the shell’s thread for what a release returned, by release: for reading its messages, and for checking its HTML',
    labelNames: ['release', 'work'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { release, shellMs } of health())
        for (const work of ['reading', 'checking'] as const)
          this.set({ release, work }, shellMs[work] / 1000);
    },
  });
}

/** Counts what the log says of releases' processes. */
export function countReleaseEvents(registry: Registry): (event: RendererEvent) => void {
  const counter = new Counter({
    name: 'forecourt_release_process_events_total',
    help: 'Deaths, replacements, uncaught errors and output of processes, by release',
    labelNames: ['release', 'event'],
    registers: [registry],
  });
  return ({ event, release }) => counter.inc({ event, release });
}

/** Remote to its required slots that no live release fills. */
const missingSlots = (live: LiveRemotes, layouts: PageLayouts): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...requiredSlots(layouts)]
      .map(([remote, slots]) => {
        const filled = live.get(remote)?.live.manifest.slots ?? {};
        return [remote, [...slots].filter((slot) => !Object.hasOwn(filled, slot))] as const;
      })
      .filter(([, slots]) => slots.length > 0),
  );

export interface ReadinessReport {
  readonly isReady: boolean;
  /** JSON for operators. */
  readonly facts: { readonly status: string; readonly [fact: string]: unknown };
}

interface ReadinessDeps {
  readonly site: Pick<Site, 'layouts' | 'isReady'>;
  readonly releases: {
    readonly live: () => LiveRemotes;
    readonly refused?: () => ReadonlyMap<string, readonly Refusal[]>;
    readonly suspicious?: () => SuspiciousPointers | undefined;
  };
  readonly isolation?: Isolation;
  readonly isStopping?: () => boolean;
}

/** Whether this shell can compose pages, for `/health/ready`. `failing`: releases whose slots failed lately. */
export function reportReadiness(
  { site, releases, isolation, isStopping = () => false }: ReadinessDeps,
  load: { readonly level: LoadLevel },
  failing: ReturnType<SlotFailures['recent']>,
): ReadinessReport {
  const missing = missingSlots(releases.live(), site.layouts);
  const isComplete = Object.keys(missing).length === 0;
  const isReady = !isStopping() && site.isReady() && isComplete;
  const pointers = releases.suspicious?.();
  const facts = {
    status: isStopping() ? 'stopping' : isReady ? 'ready' : 'starting',
    releases: Object.fromEntries(
      [...releases.live()].map(([name, { live }]) => [name, live.manifest.version]),
    ),
    refused: Object.fromEntries(releases.refused?.() ?? []),
    // A rollout must not replace complete replicas with this one.
    ...(!isComplete && { missing }),
    ...(pointers && { pointers }),
    load: load.level,
    ...(Object.keys(failing).length > 0 && { failing }),
    ...(isolation && { isolation: describeIsolation(isolation) }),
  };
  return { isReady, facts };
}
