import type { GateResult } from '@forecourt/shared-contracts/slots/gate';

/** Releases that may be waiting for their turn; each trial takes a thread and some seconds. */
const MAX_WAITING = 8;

/**
 * One trial after the other; who asks for a release that is being tried, or
 * waits to be, shares its answer. Undefined when too many wait already.
 */
export function inTurns(tryOut: (name: string, version: string) => Promise<GateResult>) {
  const trials = new Map<string, Promise<GateResult>>();
  let last: Promise<unknown> = Promise.resolve();
  return (name: string, version: string): Promise<GateResult> | undefined => {
    const id = `${name}@${version}`;
    const known = trials.get(id);
    if (known) return known;
    // One of them is at work.
    if (trials.size > MAX_WAITING) return undefined;
    const trial = last.then(() => tryOut(name, version)).finally(() => trials.delete(id));
    trials.set(id, trial);
    last = trial.catch(() => undefined);
    return trial;
  };
}
