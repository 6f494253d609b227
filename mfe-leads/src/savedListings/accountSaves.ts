import type { Call } from '@forecourt/slots';
import { isSessionExpired, outcomeOfResponse } from '../outbox/delivery.ts';

/** `signedOut`: the session ended while the page was open. */
type AccountSaveOutcome = 'done' | 'signedOut' | 'failed';

/**
 * Saves and removes listings in the account. Changes to one listing run one
 * after the other and only the last one counts, so a double click has no effect.
 */
interface AccountSaves {
  /** Resolves with the outcome of the last change; joins a change in flight. */
  readonly set: (listingId: string, saved: boolean) => Promise<AccountSaveOutcome>;
}

export function createAccountSaves(call: Call): AccountSaves {
  const targets = new Map<string, boolean>();
  const inFlight = new Map<string, Promise<AccountSaveOutcome>>();

  const write = async (listingId: string, saved: boolean): Promise<AccountSaveOutcome> => {
    try {
      const response = await call(saved ? 'saveListing' : 'unsaveListing', { listingId }, { body: {} });
      return outcomeOfResponse(response) === 'sent' ? 'done' : 'failed';
    } catch (error) {
      // The gateway logged the error; the caller tells the shopper.
      return isSessionExpired(error) ? 'signedOut' : 'failed';
    }
  };
  const applyChanges = async (listingId: string): Promise<AccountSaveOutcome> => {
    for (;;) {
      const target = targets.get(listingId) ?? false;
      const outcome = await write(listingId, target);
      if (targets.get(listingId) === target) return outcome;
    }
  };
  return {
    set(listingId, saved) {
      targets.set(listingId, saved);
      const running = inFlight.get(listingId);
      if (running) return running;
      const started = applyChanges(listingId).finally(() => {
        inFlight.delete(listingId);
        targets.delete(listingId);
      });
      inFlight.set(listingId, started);
      return started;
    },
  };
}
