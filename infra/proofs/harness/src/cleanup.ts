type Step = () => Promise<void> | void;

/** Runs cleanup steps in reverse order, once: at the end, on failure or on interruption. */
export function createCleanup() {
  const steps: Step[] = [];
  const runAll = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step();
  };
  let last = Promise.resolve();
  // What is interrupted often fails, too: its end waits until the steps before are done.
  const run = () => (last = last.then(runAll, runAll));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void run().finally(() => process.exit(130)));
  return { add: (step: Step) => void steps.push(step), run };
}
