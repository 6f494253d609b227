import type { Call } from '@forecourt/shared-contracts/slots';

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
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The query of a results address, which is what an alert keeps. */
const queryOf = (url: string): string => url;

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
    if (status === 'danger') return { status, isAlertStored: false, problem: 'capture: no success' };
    if (!alertFor) return { status, isAlertStored: false };
    const body = { emailAddress, brand, search: queryOf(alertFor.url) };
    const { subscribed } = await call('subscribeAlert', {}, { body });
    return subscribed
      ? { status, isAlertStored: true }
      : { status: 'danger', isAlertStored: false, problem: 'alert: no success' };
  } catch (error) {
    return { status: 'danger', isAlertStored: false, problem: describe(error) };
  }
}
