import { useEffect, useRef } from 'react';
import { useStore } from 'react-redux';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { browserStorage, type RootState } from '@forecourt/shared-contracts/store';
import { useLeads } from '../host/leadsContext.ts';
import type { Toasts } from '../host/toasts.ts';
import {
  browserStorage as storageOf,
  forgetStored,
  readStored,
  writeStored,
} from '../storage/browserStorage.ts';
import { STORAGE_KEYS } from '../storage/keys.ts';
import { createAccountSaves } from './accountSaves.ts';
import { decideSave } from './saveDecision.ts';

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Saves a listing or takes it out again when somebody asks, and after a sign-in moves what the browser kept into the account. */
export function useSavedListings(): void {
  const { call, emit, listen } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();
  const toastsRef = useRef(toasts);
  useEffect(() => {
    toastsRef.current = toasts;
  });

  useEffect(() => {
    const account = createAccountSaves(call);
    // What was clicked while the account's list is under way: the list does not know it yet.
    const clicked = new Map<string, boolean>();
    const session = () => store.getState().session;
    const show = (...toast: Parameters<Toasts['show']>) => toastsRef.current.show(...toast);
    const change = (listingId: string, saved: boolean) => {
      clicked.set(listingId, saved);
      emit('listing.savedChanged', { listingId, saved });
    };

    /** What led to the sign-in is saved after it. */
    const askToSignIn = (screen: 'signIn' | 'signUp', listingId: string) => {
      writeStored(STORAGE_KEYS.saveAfterSignIn, listingId, storageOf('session'));
      emit('signIn.requested', { reason: 'saveListing', listingId, screen });
    };

    /** Shows it at once; takes it back when the account cannot be told. */
    const setInAccount = async (listingId: string, saved: boolean): Promise<void> => {
      change(listingId, saved);
      const answer = await account.set(listingId, saved);
      if (answer === 'agreed') return;
      change(listingId, !saved);
      if (answer === 'signedOut') {
        show('You were signed out meanwhile.');
        if (saved) askToSignIn('signIn', listingId);
        else emit('signIn.requested', { reason: 'account', screen: 'signIn' });
        return;
      }
      show(saved ? 'This vehicle was not saved.' : 'This vehicle is still saved.', {
        label: 'Try again',
        onUse: () => void setInAccount(listingId, saved),
      });
    };
    const set = (listingId: string, saved: boolean, place: 'account' | 'browser') => {
      if (place === 'account') void setInAccount(listingId, saved);
      else change(listingId, saved);
    };

    const stopSaving = listen('listing.saveRequested', ({ listingId }) => {
      const { brand, signedIn, savedListingIds } = session();
      const decision = decideSave({ brand, signedIn, savedListingIds, listingId });
      if (decision.kind === 'toggle') {
        set(listingId, decision.saved, decision.place);
        show(decision.saved ? 'Saved to your vehicles.' : 'Removed from your saved vehicles.', {
          label: 'Undo',
          onUse: () => set(listingId, !decision.saved, decision.place),
        });
        return;
      }
      if (decision.insert !== 'no') change(listingId, true);
      askToSignIn('signUp', listingId);
    });
    const stopDismissals = listen('signIn.dismissed', ({ reason, listingId }) => {
      if (reason !== 'saveListing' || listingId === undefined) return;
      forgetStored(STORAGE_KEYS.saveAfterSignIn, storageOf('session'));
      const { brand, signedIn } = session();
      // The automaker's brand shows it as saved only while the dialog is open (A4-LISTSAVE-07).
      if (!signedIn && BRANDS[brand].saveBeforeSignIn === 'optimistic') change(listingId, false);
    });

    /** What the browser kept belongs to the account from now on; what cannot be told stays and is told again. */
    const takeOver = async () => {
      const wanted = readStored(STORAGE_KEYS.saveAfterSignIn, textOf, storageOf('session'));
      const kept = browserStorage.savedListings.read();
      const listingIds = [...new Set([...(wanted === undefined ? [] : [wanted]), ...kept])];
      try {
        const answer =
          listingIds.length > 0
            ? await call('mergeSavedListings', {}, { body: { listingIds } })
            : await call('savedListings', {});
        // An error object stands where the account could not be reached.
        if (!('savedListings' in answer)) return;
        browserStorage.savedListings.write([]);
        forgetStored(STORAGE_KEYS.saveAfterSignIn, storageOf('session'));
        const { account: visitor, savedSearchCount } = session();
        const inAccount = answer.savedListings.map(({ listingId }) => listingId);
        const fresh = [...clicked].filter(([, saved]) => saved).map(([id]) => id);
        const savedListingIds = [...fresh, ...inAccount.filter((id) => !clicked.has(id))];
        emit('session.changed', { signedIn: true, account: visitor, savedListingIds, savedSearchCount });
      } catch (error) {
        emit('problem.reported', { code: 'SAVED_LISTINGS', message: String(error) });
      }
    };
    if (session().signedIn) void takeOver();
    return () => {
      stopSaving();
      stopDismissals();
    };
  }, [call, emit, listen, store]);
}
