import type { SessionState } from '@forecourt/search/state';
import type { Call } from '@forecourt/slots';
import type { CallBodies } from '@forecourt/upstream/calls';
import { DEAL_KINDS } from '@forecourt/upstream/codes';
import { downPaymentOf } from './terms.ts';
import { STORAGE_KEYS, isRecord, readStored, writeStored } from '../../storage/webStorage.ts';

type Deal = CallBodies['saveDeal'];

/** Unknown kinds of deals count as finance. */
export const dealKind = (code: string | undefined): (typeof DEAL_KINDS)[number] =>
  DEAL_KINDS.find((kind) => kind === code) ?? 'finance';

/** A vehicle at the wallet's terms, with the payment as displayed, USD. */
export const buildDeal = (
  listingId: string,
  price: number,
  wallet: NonNullable<SessionState['wallet']>,
  monthlyPayment: number,
): Deal => ({
  carId: listingId,
  deal: {
    dealType: dealKind('finance'),
    price,
    downPayment: downPaymentOf(price, wallet),
    term: wallet.termMonths,
    apr: wallet.aprPercent,
    monthlyPayment,
  },
});

/** `error` is the upstream's text, e.g. 'Circuit Breaker for /deals is open'. */
type DealOutcome = { readonly saved: true } | { readonly saved: false; readonly error: string };

const REQUEST_FAILED = 'Request failed';

/**
 * Saves the deal of a listing, or updates the saved one. The key
 * prevents a duplicate when the first response was lost. Never rejects.
 */
export async function saveDeal(call: Call, body: Deal, idempotencyKey: string): Promise<DealOutcome> {
  const savedIds =
    readStored(STORAGE_KEYS.savedDeals, (value) => (isRecord(value) ? value : undefined)) ?? {};
  const id = savedIds[body.carId];
  try {
    const response =
      typeof id === 'string'
        ? await call('updateDeal', { id }, { body })
        : await call('saveDeal', {}, { body, idempotencyKey });
    if ('error' in response) return { saved: false, error: String(response.error) };
    writeStored(STORAGE_KEYS.savedDeals, { ...savedIds, [body.carId]: response.id });
    return { saved: true };
  } catch {
    // The gateway logged the error.
    return { saved: false, error: REQUEST_FAILED };
  }
}
