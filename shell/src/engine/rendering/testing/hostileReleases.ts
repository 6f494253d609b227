import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { createProcessRenderer } from '../process/renderer.ts';
import type { Sandbox } from '../process/sandbox.ts';
import type { ReleaseHealth } from '../process/supervisor.ts';
import type { ProcessLimits } from '../process/watch.ts';
import { libraryState } from '../../testing/libraryState.ts';
import type { LoadedRelease } from '../release.ts';
import { renderJob, tinyRelease } from './tinyRelease.ts';

/** A fixture of the browser tests that attacks. */
interface Hostile {
  readonly name: string;
  readonly stoppedBy: string;
  readonly attack?: (means: object) => unknown;
  readonly codeFor: (port: number) => string;
}

const { hostiles } = (await import(
  join(import.meta.dirname, '../../../../../infra/proofs/harness/src/hostileRelease.ts')
)) as {
  readonly hostiles: () => Promise<Hostile[]>;
};

/** The hostile releases, by name. */
export const fixtures: ReadonlyMap<string, Hostile> = new Map(
  (await hostiles()).map((hostile) => [hostile.name, hostile]),
);

/** A fixture that attacks from its first render on. */
export function hostileRelease(
  name: string,
  { slot = 'attack', remote = 'mfe-hostile', reads = [] as string[] } = {},
): LoadedRelease {
  const hostile = fixtures.get(name);
  if (!hostile) throw new Error(`no fixture ${name}`);
  const release = tinyRelease({ [slot]: 'load' }, { name: remote, reads });
  return { ...release, nodeSources: new Map([['remoteEntry.cjs', hostile.codeFor(9)]]) };
}

/** CPU time of all threads; ms. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What a release does, as seen from outside of its process. */
export interface Sight {
  readonly html: string;
  readonly data: unknown;
  /** Codes of its failed renders since it last rendered. */
  readonly failures: readonly string[];
  readonly calls: number;
  readonly cpuMs: number;
  /** Resident memory; bytes. */
  readonly memory: number;
  /** Bytes of its messages and output. */
  readonly sent: number;
  /** Why its processes ended or were replaced. */
  readonly ends: readonly string[];
  readonly logged: number;
  readonly outputs: number;
  /** What metrics and readiness say of it. */
  readonly health: ReleaseHealth | undefined;
}

/** Stops rendering and never ends. */
export const isStuck = ({ failures, ends }: Sight) => failures.length >= 3 && ends.length === 0;

/** Counts what a sandbox's processes send. */
function observed(sandbox: Sandbox) {
  const seen = { pid: 0, sent: 0, outputs: 0 };
  const start = () => {
    const started = sandbox.start();
    void started.pid.then((pid) => (seen.pid = pid));
    started.channel.on('data', ({ length }: Buffer) => (seen.sent += length));
    started.child.stdout?.on('data', ({ length }: Buffer) => {
      seen.sent += length;
      seen.outputs += 1;
    });
    return started;
  };
  return { seen, sandbox: { ...sandbox, start } satisfies Sandbox };
}

interface Renderers {
  readonly createProcessRenderer: typeof createProcessRenderer;
}

const NOTHING_USED = { cpuMs: 0, memory: 0 };

/** CPU time and resident memory of a living process. */
function usedBy(pid: number): typeof NOTHING_USED {
  const [, resident = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
  return { cpuMs: cpuMsOf(pid), memory: resident * 4096 };
}

/** Renders the fixture again and again until `isOver`. */
export async function watchAttack(
  name: string,
  limits: Partial<ProcessLimits>,
  isOver: (sight: Sight) => boolean,
  {
    sandbox: base,
    opened,
    maxLines,
  }: {
    readonly sandbox: Sandbox;
    readonly opened: { close: () => Promise<void> }[];
    readonly maxLines?: number;
  },
): Promise<Sight> {
  // Imported for each attack: a test may have replaced a part of it.
  const module = (await import('../process/renderer.ts')) as Renderers;
  const { sandbox, seen } = observed(base);
  const ends: string[] = [];
  let logged = 0;
  const renderer = module.createProcessRenderer({
    sandbox,
    state: libraryState,
    // An attack at lower priority takes longer to show itself on a busy machine.
    limits: { normalCpuMs: Infinity, ...limits },
    maxDeaths: Infinity,
    ...(maxLines !== undefined && { maxLines }),
    log({ event, reason = '' }) {
      logged += 1;
      if (event === 'release-died' || event === 'release-recycled') ends.push(reason);
    },
  });
  opened.push(renderer);
  const release = hostileRelease(name);
  await renderer.prepare(release);
  const { pid } = seen;
  let calls = 0;
  let html = '';
  let data: unknown;
  let failures: string[] = [];
  const call = () => Promise.resolve((calls += 1));
  const sightNow = (): Sight => {
    const { sent, outputs } = seen;
    const [health] = renderer.health();
    const used = ends.length === 0 ? usedBy(pid) : NOTHING_USED;
    return { html, data, failures, calls, ...used, sent, outputs, ends, logged, health };
  };
  const until = Date.now() + 40_000;
  let isRendering = false;
  while (!isOver(sightNow())) {
    if (Date.now() > until) throw new Error(`nothing happened: ${JSON.stringify({ ...sightNow(), html })}`);
    if (!isRendering) {
      isRendering = true;
      void renderer.render(renderJob(release, 'attack', { deadlineMs: 300, call: call as never })).then(
        (rendered) => {
          ({ html, data } = rendered);
          failures = [];
          isRendering = false;
        },
        ({ code }: { code: string }) => {
          failures = [...failures, code];
          isRendering = false;
        },
      );
    }
    await pause(20);
  }
  return sightNow();
}
