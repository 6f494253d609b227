import { useEffect, useState } from 'react';
import { useSlotEnvironment, type Call } from '@forecourt/shared-contracts/slots';
import { browserStorage } from '../storage/browserStorage.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createOutbox } from './outbox.ts';

/** ms between two looks at what waits; each lead has pauses of its own. */
const TICK_MS = 5_000;

/** The page's own, by its way of calling: what one slot could not send, another's clock sends. */
const deliveries = new WeakMap<Call, Delivery>();

function deliveryOf(call: Call): Delivery {
  const known = deliveries.get(call);
  if (known) return known;
  const delivery = createDelivery({ outbox: createOutbox(browserStorage()), call });
  // A server knows no page's leads.
  if (typeof document !== 'undefined') deliveries.set(call, delivery);
  return delivery;
}

/** The leads of this browser, without trying again what waits. */
export function useDelivery(): Delivery {
  const { call } = useSlotEnvironment();
  const [delivery] = useState(() => deliveryOf(call));
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
    const run = (send: () => Promise<void>) => {
      if (isRunning || document.visibilityState === 'hidden' || !navigator.onLine) return;
      if (!delivery.hasWaiting()) return;
      isRunning = true;
      void alone(send).finally(() => (isRunning = false));
    };
    const sendDue = () => run(delivery.sendDue);
    // The pauses were for an upstream in trouble, not for a network that was away.
    const sendAll = () => run(delivery.sendWaiting);
    sendDue();
    const timer = setInterval(sendDue, TICK_MS);
    window.addEventListener('online', sendAll);
    document.addEventListener('visibilitychange', sendDue);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', sendAll);
      document.removeEventListener('visibilitychange', sendDue);
    };
  }, [delivery]);
}
