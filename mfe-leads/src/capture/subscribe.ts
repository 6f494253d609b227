import type { Call } from '@forecourt/shared-contracts/slots';
import { outcomeOf } from '../outbox/delivery.ts';

/** A search to send emails about; `url` is path and query of its results. */
export interface CapturedSearch {
  readonly url: string;
  readonly title: string;
}

export interface CaptureResult {
  readonly status: 'success' | 'warning' | 'danger';
  /** The search is stored as an alert. */
  readonly isAlertStored: boolean;
  /** Reason for the log; the shopper reads one text for all failures (AMB-097). */
  readonly problem?: string;
  /** The same request may succeed later. */
  readonly canRetry?: boolean;
}

interface AlertResponse {
  readonly subscribed?: boolean;
  /** False when the alert existed before. */
  readonly isNew?: boolean | undefined;
  readonly code?: string;
}

/** Error code when the visitor has the maximum number of alerts (AMB-183). */
const LIMIT_REACHED = 'LIMIT';

const failure = (problem: string, canRetry: boolean): CaptureResult => ({
  status: 'danger',
  isAlertStored: false,
  problem,
  canRetry,
});

/**
 * Subscribes an address (B7-CAPTURE-01) and stores `alertFor` as an alert
 * without a second click (A7-OTHER-06, AMB-121). Never rejects.
 */
export async function subscribe(
  call: Call,
  request: {
    readonly emailAddress: string;
    readonly brand: string;
    readonly alertFor: CapturedSearch | undefined;
  },
): Promise<CaptureResult> {
  const { emailAddress, brand, alertFor } = request;
  try {
    const { status } = await call('emailCapture', {}, { body: { emailAddress, brand } });
    if (status === 'danger') return failure('capture: no success', true);
    if (!alertFor) return { status, isAlertStored: false };
    const body = { emailAddress, brand, search: alertFor.url };
    const response: AlertResponse = await call('subscribeAlert', {}, { body });
    const { subscribed, isNew, code = 'no success' } = response;
    if (!subscribed) return failure(`alert: ${code}`, code !== LIMIT_REACHED);
    // A new alert is a success even for a known address; only when both exist it is a warning (AMB-109).
    return { status: isNew === false ? status : 'success', isAlertStored: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failure(message, outcomeOf(error) === 'unreachable');
  }
}
