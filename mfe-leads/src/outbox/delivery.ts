import type { Call } from '@forecourt/shared-contracts/slots';
import type { Outbox, PendingLead, QueuedCall } from './outbox.ts';

/** `refused`: the upstream will never take it as it is; `unreachable`: a later attempt may succeed. */
export type Outcome = 'sent' | 'refused' | 'unreachable';

const TOO_MANY_REQUESTS = 429;
const SIGN_IN_REQUIRED = 401;

/** The session ended while the page was open: only signing in again helps. */
export const isSignedOut = (error: unknown): boolean =>
  (error as { status?: unknown } | undefined)?.status === SIGN_IN_REQUIRED;

/** What a failed call means for the next attempt: its `status` is that of HTTP, 0 without an answer. */
export function outcomeOf(error: unknown): Outcome {
  const { status } = (error ?? {}) as { status?: unknown };
  const isRefusal =
    typeof status === 'number' && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
  return isRefusal ? 'refused' : 'unreachable';
}

/** An upstream that did not answer leaves the call's fallback: an error object, or another status than success. */
export function outcomeOfAnswer(answer: unknown): Outcome {
  const { status = 'SUCCESS', error } = (answer ?? {}) as { status?: unknown; error?: unknown };
  return status === 'SUCCESS' && error === undefined ? 'sent' : 'unreachable';
}

/** Hears how an attempt ended that nobody waited for. */
export type LateOutcome = (lead: PendingLead, outcome: Outcome) => void;

export interface Delivery {
  /** Stores the lead, then sends it. Its text cannot be lost from here on, and a second sending of it joins the first. */
  readonly send: (lead: Parameters<Outbox['add']>[0]) => Promise<Outcome>;
  readonly hasWaiting: () => boolean;
  /** Sends what waits and is due. */
  readonly sendDue: () => Promise<void>;
  /** Sends all that waits, also before its time. */
  readonly sendWaiting: () => Promise<void>;
  /** Key of a lead with these words that waits already. */
  readonly waitingKey: (call: QueuedCall, body: object) => string | undefined;
  /** Key of the lead that waits about a listing: a form about it starts where that one stopped. */
  readonly waitingFor: (call: QueuedCall, listingId: string) => string | undefined;
  /** Gives a lead up: its words were changed, or nobody wants it any more. */
  readonly forget: (id: string) => void;
  /** The answer unsubscribes. */
  readonly onLateOutcome: (receive: LateOutcome) => () => void;
}

/**
 * Delivers leads exactly once: each is written down before its first sending
 * and crossed out when the upstream says that it is stored, which knows a
 * repeat by its key.
 */
export function createDelivery({ outbox, call }: { readonly outbox: Outbox; readonly call: Call }): Delivery {
  const underWay = new Map<string, Promise<Outcome>>();
  const receivers = new Set<LateOutcome>();
  const tell: LateOutcome = (lead, outcome) => receivers.forEach((receive) => receive(lead, outcome));

  const attempt = async ({ id, call: name, body }: PendingLead): Promise<Outcome> => {
    let outcome: Outcome;
    try {
      outcome = outcomeOfAnswer(await call(name, {}, { body }));
    } catch (error) {
      outcome = outcomeOf(error);
    }
    if (outcome === 'unreachable') outbox.postpone(id);
    else outbox.remove(id);
    return outcome;
  };
  const once = (lead: PendingLead): Promise<Outcome> => {
    const running = underWay.get(lead.id);
    if (running) return running;
    const started = attempt(lead).finally(() => underWay.delete(lead.id));
    underWay.set(lead.id, started);
    return started;
  };

  const sendLater = async (leads: readonly PendingLead[]): Promise<void> => {
    for (const lead of leads) {
      if (!underWay.has(lead.id)) tell(lead, await once(lead));
    }
    for (const lead of outbox.takeExpired()) tell(lead, 'refused');
  };

  return {
    send: (lead) => underWay.get(lead.id) ?? once(outbox.add(lead)),
    hasWaiting: () => outbox.all().length > 0,
    sendDue: () => sendLater(outbox.due()),
    sendWaiting: () => sendLater(outbox.all()),
    waitingKey: outbox.twinOf,
    waitingFor: outbox.waitingFor,
    forget: (id) => outbox.remove(id),
    onLateOutcome(receive) {
      receivers.add(receive);
      return () => void receivers.delete(receive);
    },
  };
}
