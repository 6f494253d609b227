import { RenderFailure, type SlotRenderer, withDeadline } from '../slotRenderer.ts';
import { ReleaseProcess } from './releaseProcess.ts';
import type { Sandbox } from './sandbox.ts';
import { createStateEncoder } from './stateEncoder.ts';
import { Supervisor, type ReleaseHealth, type RendererEvent, type SupervisorOptions } from './supervisor.ts';
import { NEVER_BLOCKED, type ProcessLimits } from './watch.ts';
import { messageOf } from '../../universal/messageOf.ts';

const LIMITS: ProcessLimits = {
  cpuMs: 400,
  normalCpuMs: 100,
  idleCpuMs: 250,
  otherThreadsMs: 1_000,
  otherThreadsShare: 0.5,
  silenceMs: 400,
  bootMs: 10_000,
  softMemoryMb: 256,
  hardMemoryMb: 384,
  maxCalls: 50,
  maxMessages: 1_000,
  maxSentBytes: 16 * 1024 * 1024,
  maxUnreadBytes: 32 * 1024 * 1024,
  shellShare: 0.25,
  shellMs: 400,
};
const MAX_DEATHS = 3;
const DEATH_WINDOW_MS = 30_000;
const MAX_LINES = 20;

export interface ProcessRendererOptions {
  readonly sandbox: Sandbox;
  /** The site's; large fields of its divided keys are sent to a process once. */
  readonly state: { readonly divided: readonly string[] };
  readonly limits?: Partial<ProcessLimits>;
  readonly maxDeaths?: number;
  readonly deathWindowMs?: number;
  readonly maxLines?: number;
  readonly log: (event: RendererEvent) => void;
}

export interface ProcessRenderer extends SlotRenderer {
  /** Every release that is prepared. */
  readonly health: () => readonly ReleaseHealth[];
}

/** Renders each release in its own sandboxed process, isolated from other releases and the shell. */
export function createProcessRenderer(options: ProcessRendererOptions): ProcessRenderer {
  const encoder = createStateEncoder(options.state.divided);
  const supervision: SupervisorOptions = {
    maxDeaths: MAX_DEATHS,
    deathWindowMs: DEATH_WINDOW_MS,
    maxLines: MAX_LINES,
    ...options,
    limits: { ...LIMITS, ...options.limits },
    encoder,
  };
  const releases = new Map<string, Supervisor>();
  return {
    encodeState: encoder.encode,
    async prepare(release) {
      const supervisor = new Supervisor(release, supervision);
      await supervisor.ready();
      void releases.get(release.id)?.retire();
      releases.set(release.id, supervisor);
    },
    render(job) {
      const supervisor = releases.get(job.release.id);
      if (!supervisor)
        return Promise.reject(new RenderFailure('NOT_PREPARED', `${job.release.id} is not here`));
      let clock = NEVER_BLOCKED;
      const starting = (process: ReleaseProcess) => {
        clock = process.startBlockedClock();
      };
      const work = async (signal: AbortSignal) => {
        const bounded = { ...job, signal };
        try {
          return await supervisor.render(bounded, starting);
        } catch (error) {
          // The process died because of another job: this one is retried once.
          const isInnocent = error instanceof RenderFailure && error.code === 'NOT_PREPARED';
          if (!isInnocent || signal.aborted) throw error;
          return supervisor.render(bounded, starting);
        }
      };
      return withDeadline(job.deadlineMs, job.signal, work, {
        blockedMs: () => clock.blockedMs(),
        machineMs: () => clock.machineMs(),
        maxDeadlineFactor: job.maxDeadlineFactor,
      });
    },
    spendShellTime: (id, ms, work) => releases.get(id)?.spendShellTime(ms, work),
    health: () => [...releases.values()].map((supervisor) => supervisor.health()),
    retire(id) {
      void releases.get(id)?.retire();
      releases.delete(id);
    },
    async close() {
      await Promise.all([...releases.values()].map((supervisor) => supervisor.retire()));
      releases.clear();
    },
  };
}

/** Starts the sandbox's program once, without a release. Rejects when it does not say that it runs. */
export async function probeSandbox(sandbox: Sandbox): Promise<void> {
  let output = '';
  const observers = {
    uncaughtError: () => {},
    output: (text: string) => {
      output += text.slice(0, 500);
    },
    spend: () => {},
  };
  const process = new ReleaseProcess(sandbox, LIMITS, observers, createStateEncoder([]));
  try {
    await process.started();
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`${reason}${output === '' ? '' : `: ${output.trim()}`}`, { cause: error });
  } finally {
    process.end();
  }
}
