import type { CallName } from '@forecourt/upstream/calls';
import {
  isRecord,
  parseList,
  readStored,
  STORAGE_KEYS,
  writeStored,
  type KeyValueStore,
} from '../storage/webStorage.ts';

/** Days after which an undelivered lead is dropped: it is too old for the seller. */
const LEAD_OUTBOX_DAYS = 7;

/** Maximum number of queued leads per browser. */
const LEAD_OUTBOX_CAPACITY = 20;

/** Calls that may be queued: their bodies have an idempotency key, so a repeat is stored once. */
const QUEUED_CALLS = ['emailOwner', 'makeOffer', 'reportListing'] as const satisfies readonly CallName[];
export type QueuedCall = (typeof QUEUED_CALLS)[number];

/** A lead that the upstream has not confirmed yet. */
export interface PendingLead {
  /** Idempotency key of the body. */
  readonly id: string;
  readonly call: QueuedCall;
  readonly body: Readonly<Record<string, unknown>>;
  /** Subject of messages about it, e.g. 'Your message to Lakeside Ford'. */
  readonly about: string;
  readonly listingId?: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly attempts: number;
  /** Time of the next attempt, ms since 1970. */
  readonly nextAt: number;
}

const DAY_MS = 86_400_000;
/** ms until the next attempt, by number of failed attempts. */
const BACKOFF_MS = [5_000, 15_000, 60_000, 300_000];

function parseLead(value: unknown): PendingLead | undefined {
  if (!isRecord(value) || !isRecord(value['body'])) return undefined;
  const { id, call, about, createdAt, attempts, nextAt } = value;
  const isLead =
    typeof id === 'string' &&
    QUEUED_CALLS.some((name) => name === call) &&
    typeof about === 'string' &&
    [createdAt, attempts, nextAt].every((number) => typeof number === 'number');
  return isLead ? (value as unknown as PendingLead) : undefined;
}

/** Canonical text of a body without its idempotency key, to compare bodies. */
const canonicalBody = (body: object): string =>
  JSON.stringify(Object.entries({ ...body, idempotencyKey: '' }).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Queue of undelivered leads. It survives reloads, and all tabs share it. */
export interface Outbox {
  readonly all: () => readonly PendingLead[];
  readonly add: (lead: Pick<PendingLead, 'id' | 'call' | 'body' | 'about' | 'listingId'>) => PendingLead;
  readonly remove: (id: string) => void;
  /** Id of a lead with the same body apart from the key. */
  readonly findDuplicate: (call: QueuedCall, body: object) => string | undefined;
  /** Id of the lead about a listing. */
  readonly findForListing: (call: QueuedCall, listingId: string) => string | undefined;
  /** Records a failed attempt and schedules the next one with backoff. */
  readonly postpone: (id: string) => void;
  readonly dueLeads: () => readonly PendingLead[];
  /** Removes and returns the leads that are too old to send. */
  readonly takeExpired: () => readonly PendingLead[];
}

/** Without `storage` the leads live as long as the document. */
export function createOutbox(storage: KeyValueStore | undefined, now: () => number = Date.now): Outbox {
  let unstored: readonly PendingLead[] = [];
  const read = () => [
    ...(readStored(STORAGE_KEYS.leadOutbox, parseList(parseLead), storage) ?? []),
    ...unstored,
  ];
  const write = (leads: readonly PendingLead[]) => {
    // When storage is full or blocked, keep the leads in memory.
    unstored = writeStored(STORAGE_KEYS.leadOutbox, leads, storage) ? [] : leads;
  };
  return {
    all: read,
    add(lead) {
      const otherLeads = read().filter(({ id }) => id !== lead.id);
      const pending = { ...lead, createdAt: now(), attempts: 0, nextAt: now() };
      write([...otherLeads.slice(-(LEAD_OUTBOX_CAPACITY - 1)), pending]);
      return pending;
    },
    remove: (id) => write(read().filter((lead) => lead.id !== id)),
    findDuplicate: (call, body) =>
      read().find((lead) => lead.call === call && canonicalBody(lead.body) === canonicalBody(body))?.id,
    findForListing: (call, listingId) =>
      read().find((lead) => lead.call === call && lead.listingId === listingId)?.id,
    postpone(id) {
      write(
        read().map((lead) => {
          if (lead.id !== id) return lead;
          const delay = BACKOFF_MS[Math.min(lead.attempts, BACKOFF_MS.length - 1)] ?? 0;
          return { ...lead, attempts: lead.attempts + 1, nextAt: now() + delay };
        }),
      );
    },
    dueLeads: () => read().filter(({ nextAt }) => nextAt <= now()),
    takeExpired() {
      const oldest = now() - LEAD_OUTBOX_DAYS * DAY_MS;
      const leads = read();
      const expiredLeads = leads.filter(({ createdAt }) => createdAt < oldest);
      if (expiredLeads.length > 0) write(leads.filter((lead) => !expiredLeads.includes(lead)));
      return expiredLeads;
    },
  };
}
