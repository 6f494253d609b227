import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { BRANDS, type BrandCode } from '@forecourt/search/brands';
import type { RootState, SessionState } from '@forecourt/search/state';
import { savedListingsStorage } from '@forecourt/search/storage';
import { type SlotEnvironment, useSlotEnvironment } from '@forecourt/slots';
import type { EventPayload } from '@forecourt/slots/events';
import { type Toasts, useLeads } from '../state/leadsContext.ts';
import { STORAGE_KEYS, readStored, removeStored, webStorage, writeStored } from '../storage/webStorage.ts';
import { createAccountSaves } from './accountSaves.ts';
import { QUICK_SAVE_LIMIT } from './savedListings.ts';

/**
 * What a click on save does: toggle the listing in the account or,
 * below the quick-save limit, in the browser; otherwise ask to sign in. `insert` says whether the brand shows
 * the listing as saved before the sign-in; `optimistic` means until the visitor closes the dialog.
 */
type SaveDecision =
  | { readonly kind: 'toggle'; readonly storage: 'account' | 'browser'; readonly saved: boolean }
  | { readonly kind: 'signIn'; readonly insert: 'no' | 'keep' | 'optimistic' };

function decideSave({
  brand,
  signedIn,
  listingId,
  savedListingIds,
}: {
  readonly brand: BrandCode;
  readonly signedIn: boolean;
  readonly listingId: string;
  readonly savedListingIds: readonly string[];
}): SaveDecision {
  const isSaved = savedListingIds.includes(listingId);
  if (signedIn) return { kind: 'toggle', storage: 'account', saved: !isSaved };
  if (isSaved || savedListingIds.length < QUICK_SAVE_LIMIT)
    return { kind: 'toggle', storage: 'browser', saved: !isSaved };
  return { kind: 'signIn', insert: BRANDS[brand].saveBeforeSignIn };
}

interface SaverOptions extends Pick<SlotEnvironment, 'call' | 'emit'> {
  readonly toasts: Toasts;
  readonly getSession: () => SessionState;
}

/**
 * Stores what a signed-out visitor saves; false when the storage is blocked or full. Adds to what is stored: the slot's
 * state follows an event only after the next paint.
 */
function isStored(listingId: string): boolean {
  const others = savedListingsStorage.read().filter((id) => id !== listingId);
  savedListingsStorage.write([listingId, ...others]);
  return savedListingsStorage.read().includes(listingId);
}

/** Saves and removes listings, in the account or in the browser. */
function createListingSaver({ call, emit, toasts, getSession }: SaverOptions) {
  const account = createAccountSaves(call);
  /** Changes since the page loaded, which a response in flight does not include. */
  const localChanges = new Map<string, boolean>();

  const change = (listingId: string, saved: boolean) => {
    localChanges.set(listingId, saved);
    emit('listing.savedChanged', { listingId, saved });
  };
  /** The listing is saved after the sign-in. */
  const askToSignIn = (screen: 'signIn' | 'signUp', listingId: string) => {
    writeStored(STORAGE_KEYS.saveAfterSignIn, listingId, webStorage('session'));
    emit('signIn.requested', { reason: 'saveListing', listingId, screen });
  };
  /** Optimistic update, reverted when the account call fails. */
  const setInAccount = async (listingId: string, saved: boolean): Promise<void> => {
    change(listingId, saved);
    const outcome = await account.set(listingId, saved);
    if (outcome === 'done') return;
    change(listingId, !saved);
    if (outcome === 'failed')
      return toasts.show(saved ? 'We couldn’t save this vehicle.' : 'We couldn’t remove this vehicle.', {
        label: 'Try again',
        onUse: () => void setInAccount(listingId, saved),
      });
    toasts.show(`Your session expired. Sign in again to ${saved ? 'save' : 'remove'} this car.`);
    if (saved) askToSignIn('signIn', listingId);
    else emit('signIn.requested', { reason: 'account', screen: 'signIn' });
  };
  const set = (listingId: string, saved: boolean, storage: 'account' | 'browser') => {
    if (storage === 'account') void setInAccount(listingId, saved);
    else change(listingId, saved);
  };

  return {
    localChanges,
    onSaveRequested: ({ listingId }: EventPayload<'listing.saveRequested'>) => {
      const { brand, signedIn, savedListingIds } = getSession();
      const decision = decideSave({ brand, signedIn, savedListingIds, listingId });
      if (decision.kind === 'toggle') {
        const { saved, storage } = decision;
        set(listingId, saved, storage);
        if (storage === 'browser' && saved && !isStored(listingId)) {
          change(listingId, false);
          return toasts.show('We couldn’t save this vehicle: your browser’s storage is blocked or full.');
        }
        return toasts.show(saved ? 'Saved to your vehicles.' : 'Removed from your saved vehicles.', {
          label: 'Undo',
          onUse: () => set(listingId, !saved, storage),
        });
      }
      if (decision.insert !== 'no') change(listingId, true);
      askToSignIn('signUp', listingId);
    },
    onSignInDismissed: ({ reason, listingId }: EventPayload<'signIn.dismissed'>) => {
      if (reason !== 'saveListing' || listingId === undefined) return;
      removeStored(STORAGE_KEYS.saveAfterSignIn, webStorage('session'));
      const { brand, signedIn } = getSession();
      // The automaker's brand shows it as saved only while the dialog is open.
      if (!signedIn && BRANDS[brand].saveBeforeSignIn === 'optimistic') change(listingId, false);
    },
  };
}

/** Moves the browser's saved listings into the account. After a failure they stay, and the next page retries. */
async function mergeIntoAccount(
  { call, emit, getSession }: SaverOptions,
  localChanges: ReadonlyMap<string, boolean>,
): Promise<void> {
  const isString = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const pendingId = readStored(STORAGE_KEYS.saveAfterSignIn, isString, webStorage('session'));
  const browserIds = savedListingsStorage.read();
  const listingIds = [...new Set([...(pendingId === undefined ? [] : [pendingId]), ...browserIds])];
  try {
    const response =
      listingIds.length > 0
        ? await call('mergeSavedListings', {}, { body: { listingIds } })
        : await call('savedListings', {});
    // The call's fallback is an error object.
    if (!('savedListings' in response)) return;
    savedListingsStorage.write([]);
    removeStored(STORAGE_KEYS.saveAfterSignIn, webStorage('session'));
    const { account } = getSession();
    const accountIds = response.savedListings.map(({ listingId }) => listingId);
    const newIds = [...localChanges].filter(([, saved]) => saved).map(([id]) => id);
    const savedListingIds = [...newIds, ...accountIds.filter((id) => !localChanges.has(id))];
    emit('session.changed', { signedIn: true, account, savedListingIds });
  } catch (error) {
    emit('problem.reported', { code: 'SAVED_LISTINGS', message: String(error) });
  }
}

/** Handles save requests, and moves the browser's saved listings into the account after a sign-in. */
export function useSavedListings(): void {
  const { call, emit, listen } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();
  useEffect(() => {
    const options = { call, emit, toasts, getSession: () => store.getState().session };
    const { localChanges, onSaveRequested, onSignInDismissed } = createListingSaver(options);
    const stopListening = [
      listen('listing.saveRequested', onSaveRequested),
      listen('signIn.dismissed', onSignInDismissed),
    ];
    if (options.getSession().signedIn) void mergeIntoAccount(options, localChanges);
    return () => stopListening.forEach((stop) => stop());
  }, [call, emit, listen, store, toasts]);
}
