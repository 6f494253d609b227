import type { Outcome } from '../outbox/delivery.ts';

/** What a form sends, as its messages call it. */
export interface Sending {
  /** E.g. 'Your message to Lakeside Ford'. */
  readonly about: string;
  /** Why the upstream may have refused it. */
  readonly refusedBecause?: string | undefined;
  /** What could not be sent is kept in this browser and sent later. */
  readonly isKept: boolean;
}

/** What is said of a vehicle's message that was refused. */
export const VEHICLE_MAY_BE_GONE = 'the vehicle may be gone';

/** How a sending ended, beside the form that still shows its words. */
export function outcomeText({ about, refusedBecause, isKept }: Sending, outcome: Outcome): string {
  if (outcome === 'sent') return `${about} was sent.`;
  if (outcome === 'refused')
    return `${about} was not accepted${refusedBecause ? `: ${refusedBecause}` : ''}. Nothing you typed is lost.`;
  return `${about} was not sent. Nothing you typed is lost${
    isKept ? ': we keep it in this browser and send it as soon as we can' : ''
  }.`;
}

/** The same for a shopper who closed the form meanwhile. */
export function lateOutcomeText({ about }: Sending, outcome: Outcome): string {
  if (outcome === 'sent') return `${about} was sent.`;
  return outcome === 'refused'
    ? `${about} was not accepted.`
    : `${about} could not be sent yet. We keep trying.`;
}
