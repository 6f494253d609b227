import type { CallName } from '@forecourt/shared-contracts/calls';
import { isRecord, listOf, readStored, writeStored, type KeyValueStore } from '../storage/browserStorage.ts';
import { STORAGE_KEYS } from '../storage/keys.ts';
import { LEAD_OUTBOX_CAPACITY, LEAD_OUTBOX_DAYS } from '../constants.ts';

/** Calls whose bodies may wait here: each has an idempotency key, so that sending one twice stores it once. */
export const QUEUED_CALLS = [
  'emailOwner',
  'makeOffer',
  'reportListing',
] as const satisfies readonly CallName[];
export type QueuedCall = (typeof QUEUED_CALLS)[number];

/** A lead on its way: it stays until the upstream has said that it is stored. */
export interface PendingLead {
  /** The idempotency key of its body. */
  readonly id: string;
  readonly call: QueuedCall;
  readonly body: Readonly<Record<string, unknown>>;
  /** What a message about it calls it, e.g. 'Your message to Lakeside Ford'. */
  readonly about: string;
  readonly listingId?: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly attempts: number;
  /** Not tried again before, ms since 1970. */
  readonly nextAt: number;
}

const DAY_MS = 86_400_000;
/** ms to the next attempt, by the number of those that failed. */
const PAUSES = [5_000, 15_000, 60_000, 300_000];

function parseLead(value: unknown): PendingLead | undefined {
  if (!isRecord(value) || !isRecord(value['body'])) return undefined;
  const { id, call, about, createdAt, attempts, nextAt } = value;
  const isKnown =
    typeof id === 'string' &&
    QUEUED_CALLS.some((name) => name === call) &&
    typeof about === 'string' &&
    [createdAt, attempts, nextAt].every((number) => typeof number === 'number');
  return isKnown ? (value as unknown as PendingLead) : undefined;
}

/** The words of a body, in one order and without the key of their sending. */
const wordsOf = (body: object): string =>
  JSON.stringify(Object.entries({ ...body, idempotencyKey: '' }).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The leads which this browser still has to deliver, durable over reloads and shared by its tabs. */
export interface Outbox {
  readonly all: () => readonly PendingLead[];
  readonly add: (lead: Pick<PendingLead, 'id' | 'call' | 'body' | 'about' | 'listingId'>) => PendingLead;
  readonly remove: (id: string) => void;
  /** Id of a lead that says the same, whatever its key: sending that one again stores it once. */
  readonly twinOf: (call: QueuedCall, body: object) => string | undefined;
  /** Id of the lead that waits about a listing. */
  readonly waitingFor: (call: QueuedCall, listingId: string) => string | undefined;
  /** Notes a failed attempt; the pause grows with their number. */
  readonly postpone: (id: string) => void;
  /** Those to be tried now. */
  readonly due: () => readonly PendingLead[];
  /** Takes out and answers those that nobody waits for any more. */
  readonly takeExpired: () => readonly PendingLead[];
}

/** `storage` undefined: the leads live as long as the document. */
export function createOutbox(storage: KeyValueStore | undefined, now: () => number = Date.now): Outbox {
  let unstored: readonly PendingLead[] = [];
  const read = () => [
    ...(readStored(STORAGE_KEYS.leadOutbox, listOf(parseLead), storage) ?? []),
    ...unstored,
  ];
  const write = (leads: readonly PendingLead[]) => {
    // A storage that takes nothing must not lose a lead while the page is open.
    unstored = writeStored(STORAGE_KEYS.leadOutbox, leads, storage) ? [] : leads;
  };
  return {
    all: read,
    add(lead) {
      const known = read().filter(({ id }) => id !== lead.id);
      const pending = { ...lead, createdAt: now(), attempts: 0, nextAt: now() };
      write([...known.slice(-(LEAD_OUTBOX_CAPACITY - 1)), pending]);
      return pending;
    },
    remove: (id) => write(read().filter((lead) => lead.id !== id)),
    twinOf: (call, body) =>
      read().find((lead) => lead.call === call && wordsOf(lead.body) === wordsOf(body))?.id,
    waitingFor: (call, listingId) =>
      read().find((lead) => lead.call === call && lead.listingId === listingId)?.id,
    postpone(id) {
      write(
        read().map((lead) => {
          if (lead.id !== id) return lead;
          const pause = PAUSES[Math.min(lead.attempts, PAUSES.length - 1)] ?? 0;
          return { ...lead, attempts: lead.attempts + 1, nextAt: now() + pause };
        }),
      );
    },
    due: () => read().filter(({ nextAt }) => nextAt <= now()),
    takeExpired() {
      const oldest = now() - LEAD_OUTBOX_DAYS * DAY_MS;
      const leads = read();
      const expired = leads.filter(({ createdAt }) => createdAt < oldest);
      if (expired.length > 0) write(leads.filter((lead) => !expired.includes(lead)));
      return expired;
    },
  };
}
