import { createCleanup } from '@forecourt/harness/cleanup';

export interface Measurement {
  /** Takes what must be stopped at the end, in reverse order. */
  readonly onStart: (stop: () => Promise<void> | void) => void;
  /** Says what is measured now, and when. */
  readonly onStep: (step: string) => void;
}

/** Runs a program of the bench: it stops what it has started, also on a signal, on an error, or after `limitMinutes`. */
export async function runMeasurement(
  measure: (measurement: Measurement) => Promise<void>,
  { limitMinutes }: { readonly limitMinutes?: number } = {},
): Promise<void> {
  const started = Date.now();
  const onStep = (step: string) => {
    const seconds = String(Math.round((Date.now() - started) / 1000)).padStart(4);
    process.stderr.write(`${seconds} s  ${step}\n`);
  };
  const cleanup = createCleanup();
  const stopLate = () => {
    process.stderr.write(`stopped: the measurement took more than ${limitMinutes} minutes\n`);
    void cleanup.run().finally(() => process.exit(1));
  };
  const limit = limitMinutes === undefined ? undefined : setTimeout(stopLate, limitMinutes * 60_000);
  try {
    await measure({ onStart: cleanup.add, onStep });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    clearTimeout(limit);
    await cleanup.run();
  }
}
