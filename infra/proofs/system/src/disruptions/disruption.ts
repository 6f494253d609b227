import { setTimeout as wait } from 'node:timers/promises';
import { type Finding, type Proof, type ProofContext, until } from '../proof.ts';

/** Something that happens to a system under load. */
export interface Disruption {
  readonly name: string;
  /** Undone before the next one, with the load still in the previous phase. */
  readonly prepare?: () => Promise<void>;
  /** Resolves with the seconds until it is over, undefined if it isn't. */
  readonly run: () => Promise<number | undefined>;
  /** ms of load afterwards, so that recovery from one disruption is no part of the next. */
  readonly settleMs?: number;
  /** One of many, which no progress line names. */
  readonly isSilent?: boolean;
}

interface Step {
  readonly name: string;
  /** Undefined if the disruption wasn't over in time; then no other one follows. */
  readonly seconds: number | undefined;
}

/** Requests that go on whatever happens to the system. */
export interface Load {
  /** A phase begins with each disruption. */
  readonly begin?: (phase: string) => void;
  /** Waits for requests in flight; may be called again. */
  readonly stop: () => Promise<void>;
}

export interface Scenario {
  readonly disruptions: Iterable<Disruption>;
  /** Of a system without load. */
  readonly findings: (steps: readonly Step[]) => Promise<readonly Finding[]> | readonly Finding[];
}

/** A row of the table of proofs: what runs, who uses it, what happens to it and what must hold. */
export interface DisruptionProof<System, Use extends Load> extends Omit<Proof, 'run'> {
  readonly topology: (context: ProofContext) => Promise<System>;
  readonly load: (system: System, context: ProofContext) => Use | Promise<Use>;
  readonly scenario: (system: System, load: Use, context: ProofContext) => Scenario | Promise<Scenario>;
}

export const noLoad = (): Load => ({ stop: () => Promise.resolve() });

/** Runs a row: its topology, the load, and one disruption after another. */
export function proofOf<System, Use extends Load>(row: DisruptionProof<System, Use>): Proof {
  const { topology, load: startLoad, scenario, ...proof } = row;
  return {
    ...proof,
    async run(context) {
      const system = await topology(context);
      const load = await startLoad(system, context);
      context.onEnd(load.stop);
      const { disruptions, findings } = await scenario(system, load, context);
      const steps: Step[] = [];
      for (const { name, prepare, run, settleMs = 0, isSilent } of disruptions) {
        await prepare?.();
        if (!isSilent) context.say(name);
        load.begin?.(name);
        const seconds = await run();
        steps.push({ name, seconds });
        await wait(settleMs);
        if (seconds === undefined) break;
      }
      await load.stop();
      return findings(steps);
    },
  };
}

/** Seconds that some work takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

export const RECOVERY_SECONDS = 90;

/** Seconds until a fault is repaired. */
export async function secondsUntilRepaired(
  name: string,
  strike: () => Promise<void> | void,
  isRepaired: () => Promise<boolean>,
): Promise<number | undefined> {
  const limits = { limitMs: RECOVERY_SECONDS * 1000, everyMs: 50 };
  const started = performance.now();
  await strike();
  return until(name, isRepaired, limits).then(
    () => (performance.now() - started) / 1000,
    () => undefined,
  );
}

/** A process gets a signal; the disruption is over when its successor is ready. */
export function ending(
  name: string,
  signal: 'SIGKILL' | 'SIGTERM',
  pid: () => number | undefined,
  isReady: () => Promise<boolean>,
): Disruption {
  return {
    name,
    run() {
      const before = pid();
      const strike = () => void process.kill(before!, signal);
      return secondsUntilRepaired(name, strike, async () => pid() !== before && (await isReady()));
    },
  };
}
