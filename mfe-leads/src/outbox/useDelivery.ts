import { useEffect, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { browserStorage } from '../storage/browserStorage.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createOutbox } from './outbox.ts';

/** ms between two looks at what waits; each lead has pauses of its own. */
const TICK_MS = 5_000;

/** The leads of this browser, without trying again what waits. */
export function useDelivery(): Delivery {
  const { call } = useSlotEnvironment();
  const [delivery] = useState(() => createDelivery({ outbox: createOutbox(browserStorage()), call }));
  return delivery;
}

/** One tab at a time delivers; where locks are missing, the keys of the leads prevent doubles. */
const alone = async (run: () => Promise<void>): Promise<void> => {
  if (!('locks' in navigator)) return run();
  await navigator.locks.request('forecourt-lead-outbox', { ifAvailable: true }, async (lock) => {
    if (lock) await run();
  });
};

/** Tries again what waits: at once, every few seconds, and whenever the network or the tab comes back. */
export function useKeepDelivering(delivery: Delivery): void {
  useEffect(() => {
    let isRunning = false;
    const run = () => {
      if (isRunning || document.visibilityState === 'hidden' || !delivery.hasWaiting()) return;
      isRunning = true;
      void alone(delivery.sendDue).finally(() => (isRunning = false));
    };
    run();
    const timer = setInterval(run, TICK_MS);
    window.addEventListener('online', run);
    document.addEventListener('visibilitychange', run);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', run);
      document.removeEventListener('visibilitychange', run);
    };
  }, [delivery]);
}
