import { DEAL_KINDS } from '@forecourt/shared-contracts/entities/codes';
import type { Call } from '@forecourt/shared-contracts/slots';
import { isRecord, readStored, writeStored } from '../storage/browserStorage.ts';
import { STORAGE_KEYS } from '../storage/keys.ts';
import type { Deal } from '../callTypes.ts';
import type { SessionState } from '@forecourt/shared-contracts/store';

/** An unknown kind of deal is finance (B5-URL-04, AMB-027). */
export const dealKind = (given: string | undefined): (typeof DEAL_KINDS)[number] =>
  DEAL_KINDS.find((kind) => kind === given) ?? 'finance';

/** What is kept of a vehicle at these terms, with the payment that is shown for them, USD (B3-DEAL-01). */
export const dealOf = (
  listingId: string,
  price: number,
  wallet: NonNullable<SessionState['wallet']>,
  monthlyPayment: number,
): Deal => ({
  carId: listingId,
  deal: {
    dealType: dealKind('finance'),
    price,
    downPayment: wallet.downPayment + wallet.tradeInValue,
    term: wallet.termMonths,
    apr: wallet.aprPercent,
    monthlyPayment,
  },
});

/** `error` is the upstream's own text, e.g. 'Circuit Breaker for /deals is open' (B8-ERR-14). */
export type DealOutcome = { readonly saved: true } | { readonly saved: false; readonly error: string };

const NOT_SAVED = 'Request failed';

/**
 * Saves the deal of a listing, or brings the saved one up to date (B7-DEAL-01).
 * A repeat with the key of a first saving whose answer was lost saves no
 * second deal. Never rejects.
 */
export async function saveDeal(call: Call, body: Deal, idempotencyKey: string): Promise<DealOutcome> {
  const known = readStored(STORAGE_KEYS.savedDeals, (value) => (isRecord(value) ? value : undefined)) ?? {};
  const id = known[body.carId];
  try {
    const answer =
      typeof id === 'string'
        ? await call('updateDeal', { id }, { body })
        : await call('saveDeal', {}, { body, idempotencyKey });
    if ('error' in answer) return { saved: false, error: String(answer.error) };
    writeStored(STORAGE_KEYS.savedDeals, { ...known, [body.carId]: answer.id });
    return { saved: true };
  } catch {
    // The gateway has logged it.
    return { saved: false, error: NOT_SAVED };
  }
}
