import type { Call } from '@forecourt/shared-contracts/slots';
import { outcomeOf } from '../outbox/delivery.ts';

/** A search that somebody wants emails about: path and query of its results. */
export interface WantedSearch {
  readonly url: string;
  readonly title: string;
}

export type CaptureStatus = 'success' | 'warning' | 'danger';

export interface CaptureResult {
  readonly status: CaptureStatus;
  /** The search is stored as an alert. */
  readonly isAlertStored: boolean;
  /** What went wrong, for the log: the shopper reads one text for all of it (AMB-097). */
  readonly problem?: string;
  /** It failed, and the same again may succeed: nobody refused it. */
  readonly mayRetry?: boolean;
}

/** What became of the alert, or why nothing did. */
interface AlertAnswer {
  readonly subscribed?: boolean;
  /** False: it was there before. */
  readonly isNew?: boolean | undefined;
  readonly code?: string;
}

/** The upstream's code for one search more than the caller may have (AMB-183). */
const LIMIT_REACHED = 'LIMIT';

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Subscribes an address (B7-CAPTURE-01) and, for `alertFor`, stores that
 * search as an alert without a second click (A7-OTHER-06, AMB-121). Never
 * rejects.
 */
export async function subscribe(
  call: Call,
  wanted: {
    readonly emailAddress: string;
    readonly brand: string;
    readonly alertFor: WantedSearch | undefined;
  },
): Promise<CaptureResult> {
  const { emailAddress, brand, alertFor } = wanted;
  try {
    const { status } = await call('emailCapture', {}, { body: { emailAddress, brand } });
    if (status === 'danger')
      return { status, isAlertStored: false, problem: 'capture: no success', mayRetry: true };
    if (!alertFor) return { status, isAlertStored: false };
    const body = { emailAddress, brand, search: alertFor.url };
    const answer: AlertAnswer = await call('subscribeAlert', {}, { body });
    const { subscribed, isNew, code = 'no success' } = answer;
    if (!subscribed)
      return {
        status: 'danger',
        isAlertStored: false,
        problem: `alert: ${code}`,
        mayRetry: code !== LIMIT_REACHED,
      };
    // Of a known address another search is news: only both are nothing new (AMB-109).
    return { status: isNew === false ? status : 'success', isAlertStored: true };
  } catch (error) {
    return {
      status: 'danger',
      isAlertStored: false,
      problem: describe(error),
      mayRetry: outcomeOf(error) === 'unreachable',
    };
  }
}
