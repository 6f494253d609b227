import { useEffect, useState } from 'react';
import { useStore } from 'react-redux';
import { useSlotEnvironment, type Call } from '@forecourt/slots';
import { webStorage } from '../storage/webStorage.ts';
import { createOutbox, type Outbox, type PendingLead, type QueuedCall } from './outbox.ts';

/** `refused`: the upstream will never accept this body; `unreachable`: a later attempt may succeed. */
export type Outcome = 'sent' | 'refused' | 'unreachable';

const TOO_MANY_REQUESTS = 429;
const SIGN_IN_REQUIRED = 401;

/** The session ended while the page was open: only signing in again helps. */
export const isSessionExpired = (error: unknown): boolean =>
  (error as { status?: unknown } | undefined)?.status === SIGN_IN_REQUIRED;

/** Outcome of a failed call. `status` is the HTTP status, 0 without a response. */
export function outcomeOf(error: unknown): Outcome {
  const { status } = (error ?? {}) as { status?: unknown };
  const isRefusal =
    typeof status === 'number' && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
  return isRefusal ? 'refused' : 'unreachable';
}

/** Outcome of a response. When the upstream fails, the call's fallback has an error or a status other than SUCCESS. */
export function outcomeOfResponse(response: unknown): Outcome {
  const { status = 'SUCCESS', error } = (response ?? {}) as { status?: unknown; error?: unknown };
  return status === 'SUCCESS' && error === undefined ? 'sent' : 'unreachable';
}

/** Called for attempts that no form is waiting for. */
type LateOutcomeListener = (lead: PendingLead, outcome: Outcome) => void;

export interface Delivery {
  /** Stores the lead, then sends it. A second call with the same id joins the first. */
  readonly send: (lead: Parameters<Outbox['add']>[0]) => Promise<Outcome>;
  readonly hasPending: () => boolean;
  /** Sends the leads whose backoff has passed. */
  readonly sendDue: () => Promise<void>;
  /** Sends all pending leads and ignores their backoff. */
  readonly sendAll: () => Promise<void>;
  /** Key of a pending lead with the same body. */
  readonly findDuplicateKey: (call: QueuedCall, body: object) => string | undefined;
  /** Key of the pending lead about a listing, so that its form continues that submission. */
  readonly findPendingKey: (call: QueuedCall, listingId: string) => string | undefined;
  /** Drops a lead, e.g. because its text was edited. */
  readonly discard: (id: string) => void;
  /** Returns the unsubscribe function. */
  readonly onLateOutcome: (listener: LateOutcomeListener) => () => void;
}

/**
 * Delivers leads exactly once: each lead is stored before its first attempt and
 * removed when the upstream confirms it. The upstream detects repeats by their
 * idempotency key.
 */
export function createDelivery({ outbox, call }: { readonly outbox: Outbox; readonly call: Call }): Delivery {
  const inFlight = new Map<string, Promise<Outcome>>();
  const listeners = new Set<LateOutcomeListener>();
  const notify: LateOutcomeListener = (lead, outcome) =>
    listeners.forEach((listener) => listener(lead, outcome));

  const attempt = async ({ id, call: name, body }: PendingLead): Promise<Outcome> => {
    let outcome: Outcome;
    try {
      outcome = outcomeOfResponse(await call(name, {}, { body }));
    } catch (error) {
      outcome = outcomeOf(error);
    }
    if (outcome === 'unreachable') outbox.postpone(id);
    else outbox.remove(id);
    return outcome;
  };
  const attemptOnce = (lead: PendingLead): Promise<Outcome> => {
    const running = inFlight.get(lead.id);
    if (running) return running;
    const started = attempt(lead).finally(() => inFlight.delete(lead.id));
    inFlight.set(lead.id, started);
    return started;
  };

  const retry = async (leads: readonly PendingLead[]): Promise<void> => {
    for (const lead of leads) {
      if (!inFlight.has(lead.id)) notify(lead, await attemptOnce(lead));
    }
    for (const lead of outbox.takeExpired()) notify(lead, 'refused');
  };

  return {
    send: (lead) => inFlight.get(lead.id) ?? attemptOnce(outbox.add(lead)),
    hasPending: () => outbox.all().length > 0,
    sendDue: () => retry(outbox.dueLeads()),
    sendAll: () => retry(outbox.all()),
    findDuplicateKey: outbox.findDuplicate,
    findPendingKey: outbox.findForListing,
    discard: (id) => outbox.remove(id),
    onLateOutcome(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** ms between two checks for due leads. */
const RETRY_INTERVAL_MS = 5_000;

/** Slots of one page share a store and therefore a delivery: any slot retries what another could not send. */
const deliveriesByStore = new WeakMap<object, Delivery>();

function sharedDelivery(store: object, call: Call): Delivery {
  const shared = deliveriesByStore.get(store);
  if (shared) return shared;
  const delivery = createDelivery({ outbox: createOutbox(webStorage()), call });
  // On the server nothing may outlive the render.
  if (typeof document !== 'undefined') deliveriesByStore.set(store, delivery);
  return delivery;
}

/** Delivery of this page, without retries. */
export function useDelivery(): Delivery {
  const { call } = useSlotEnvironment();
  const store = useStore();
  const [delivery] = useState(() => sharedDelivery(store, call));
  return delivery;
}

/** Only one tab retries at a time; in browsers without locks, idempotency keys prevent duplicates. */
const withDeliveryLock = async (run: () => Promise<void>): Promise<void> => {
  if (!('locks' in navigator)) return run();
  await navigator.locks.request('forecourt-lead-outbox', { ifAvailable: true }, async (lock) => {
    if (lock) await run();
  });
};

/** Retries pending leads on mount, every few seconds, and when the network or the tab comes back. */
export function useDeliveryRetries(delivery: Delivery): void {
  useEffect(() => {
    let isRunning = false;
    const run = (send: () => Promise<void>) => {
      if (isRunning || document.visibilityState === 'hidden' || !navigator.onLine) return;
      if (!delivery.hasPending()) return;
      isRunning = true;
      void withDeliveryLock(send).finally(() => (isRunning = false));
    };
    const sendDue = () => run(delivery.sendDue);
    // Backoff protects a failing upstream; after an offline period there is no reason to wait.
    const sendAll = () => run(delivery.sendAll);
    sendDue();
    const timer = setInterval(sendDue, RETRY_INTERVAL_MS);
    window.addEventListener('online', sendAll);
    document.addEventListener('visibilitychange', sendDue);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', sendAll);
      document.removeEventListener('visibilitychange', sendDue);
    };
  }, [delivery]);
}
