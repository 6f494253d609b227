import type { Call } from '@forecourt/shared-contracts/slots';
import { isSignedOut, outcomeOfAnswer } from '../outbox/delivery.ts';

/**
 * Brings the saved listings of an account to what their visitor wants. Clicks
 * on one listing are carried out one after the other and only the last counts,
 * so that a fast double click leaves it as it was.
 */
export interface AccountSaves {
  /** Resolves when the account agrees or could not be told. Joins a change under way. */
  readonly set: (listingId: string, saved: boolean) => Promise<AccountAnswer>;
}

/** `signedOut`: the session ended while the page was open. */
export type AccountAnswer = 'agreed' | 'signedOut' | 'failed';

export function createAccountSaves(call: Call): AccountSaves {
  const wanted = new Map<string, boolean>();
  const underWay = new Map<string, Promise<AccountAnswer>>();

  const tell = async (listingId: string, saved: boolean): Promise<AccountAnswer> => {
    try {
      const answer = await call(saved ? 'saveListing' : 'unsaveListing', { listingId }, { body: {} });
      return outcomeOfAnswer(answer) === 'sent' ? 'agreed' : 'failed';
    } catch (error) {
      // The gateway has logged it; the shopper is told by the caller.
      return isSignedOut(error) ? 'signedOut' : 'failed';
    }
  };
  const settle = async (listingId: string): Promise<AccountAnswer> => {
    for (;;) {
      const saved = wanted.get(listingId) ?? false;
      const answer = await tell(listingId, saved);
      if (wanted.get(listingId) === saved) return answer;
    }
  };
  return {
    set(listingId, saved) {
      wanted.set(listingId, saved);
      const running = underWay.get(listingId);
      if (running) return running;
      const started = settle(listingId).finally(() => {
        underWay.delete(listingId);
        wanted.delete(listingId);
      });
      underWay.set(listingId, started);
      return started;
    },
  };
}
