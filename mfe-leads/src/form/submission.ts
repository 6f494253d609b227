import type { Outcome } from '../outbox/delivery.ts';

/** 128 random bits in hex; `randomUUID` is missing on pages without https. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Submissions that were still pending when the form opened. */
export interface PendingSubmissions {
  /** Key of a pending submission with the same body, e.g. from before the dialog was closed. */
  readonly findDuplicateKey?: ((body: object) => string | undefined) | undefined;
  /** Key of the pending submission that this form shows and may edit. */
  readonly initialKey?: string | undefined;
  /** Called when an edit replaces a failed submission. */
  readonly onAbandoned?: ((key: string) => void) | undefined;
}

export interface IdempotencyKeys {
  readonly keyOf: (body: object) => string;
  /** Does the key belong to the form's latest submission? */
  readonly isLatest: (key: string) => boolean;
}

/**
 * Idempotency keys of one form. The same body gets the same key, so a retry is
 * stored once even when only the first response was lost. An edited body is a
 * new submission.
 */
export function createIdempotencyKeys({
  findDuplicateKey,
  initialKey = '',
  onAbandoned,
}: PendingSubmissions): IdempotencyKeys {
  let latest = { text: '', key: initialKey };
  return {
    keyOf(body) {
      const text = JSON.stringify(body);
      if (latest.text === text) return latest.key;
      const key = findDuplicateKey?.(body) ?? randomKey();
      if (latest.key && latest.key !== key) onAbandoned?.(latest.key);
      latest = { text, key };
      return key;
    },
    isLatest: (key) => key === latest.key,
  };
}

/** How messages describe a submission. */
export interface Submission {
  /** E.g. 'Your message to Lakeside Ford'. */
  readonly about: string;
  /** Why the upstream may have refused it. */
  readonly refusalReason?: string | undefined;
  /** An undelivered submission is stored in this browser and retried. */
  readonly isQueued: boolean;
}

export const VEHICLE_MAY_BE_GONE = 'the vehicle may no longer be for sale';

/** Message beside the form, which still shows what was typed. */
export function outcomeMessage({ about, refusalReason, isQueued }: Submission, outcome: Outcome): string {
  if (outcome === 'sent') return `${about} was sent.`;
  if (outcome === 'refused') {
    const reason = refusalReason === undefined ? '' : `: ${refusalReason}`;
    return `${about} was not accepted${reason}. Nothing you typed was lost.`;
  }
  const retry = isQueued ? ' It’s stored in this browser, and we’ll send it as soon as we can.' : '';
  return `${about} was not sent. Nothing you typed was lost.${retry}`;
}

/** The same for a shopper who has closed the form. */
export function lateOutcomeMessage({ about }: Submission, outcome: Outcome): string {
  if (outcome === 'sent') return `${about} was sent.`;
  return outcome === 'refused'
    ? `${about} was not accepted.`
    : `${about} could not be sent yet. We’ll keep trying.`;
}
