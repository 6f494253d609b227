type Step = () => Promise<void> | void;

/** Undoes, last first, what a run has set up: once, whether it ended, failed or was interrupted. */
export function createCleanup() {
  const steps: Step[] = [];
  const run = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void run().finally(() => process.exit(130)));
  return { add: (step: Step) => void steps.push(step), run };
}
