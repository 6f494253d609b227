import { useCallback, useRef } from 'react';
import { useStore } from 'react-redux';
import type { RootState } from '@forecourt/search/state';
import { useSlotEnvironment, type Call } from '@forecourt/slots';
import type { CallBodies } from '@forecourt/upstream/calls';
import type { LeadProfile } from '@forecourt/upstream/entities';
import { randomKey } from '../../form/submission.ts';
import { sellerName, type ListingWithOwner } from '../../listing/findListing.ts';
import { type Toasts, useLeads } from '../../state/leadsContext.ts';
import { ONE_CLICK_COMMENT, withField } from '../../state/drafts.ts';

type EmailOwner = CallBodies['emailOwner'];

/** ms to wait for the visitor's profile; after that the form opens without it. */
const PROFILE_TIMEOUT_MS = 1_000;

/** The email form to open for a listing. */
export interface EmailDialogContent {
  readonly kind: 'email' | 'editEmail';
  readonly listingId: string;
  readonly vehicle: ListingWithOwner;
  readonly profile: LeadProfile | undefined;
}

/**
 * A click on email: send, unless undone, for
 * visitors who opted in and whose profile is complete, ask for missing details
 * if they opted in, show the whole form to everyone else.
 */
export function emailActionFor(profile: LeadProfile | undefined): 'sendNow' | 'editEmail' | 'email' {
  if (!profile?.isOneClickOptedIn) return 'email';
  const isComplete = [profile.firstName, profile.lastName, profile.email].every((text) => text.trim() !== '');
  return isComplete ? 'sendNow' : 'editEmail';
}

export const selectIsContacted =
  (listingId: string) =>
  ({ session }: RootState): boolean =>
    session.contactedListingIds.includes(listingId);

const oneClickBody = (
  { listing }: ListingWithOwner,
  profile: LeadProfile,
  idempotencyKey: string,
): EmailOwner => ({
  listingId: listing.id,
  ownerId: listing.ownerId,
  comments: ONE_CLICK_COMMENT,
  firstName: profile.firstName,
  lastName: profile.lastName,
  fromEmailAddress: profile.email,
  phoneNumber: profile.phone,
  idempotencyKey,
});

/** Loaded for each click, because the form may have changed the profile. */
function loadProfile(call: Call): Promise<LeadProfile | undefined> {
  const timeout = new Promise<undefined>((resolve) =>
    setTimeout(() => resolve(undefined), PROFILE_TIMEOUT_MS),
  );
  const profile = call('leadCandidates', {}).then(
    (response) => response.profile,
    () => undefined,
  );
  return Promise.race([profile, timeout]);
}

/** ms in which a one-click email can be undone. */
export const UNDO_MS = 5_000;

/** Resolves to whether the message is to be sent: false if the visitor undoes it. Leaving the page ends the wait. */
const waitForUndo = (toasts: Toasts, about: string): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isWanted: boolean) => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', send);
      resolve(isWanted);
    };
    const send = () => end(true);
    const timer = setTimeout(send, UNDO_MS);
    window.addEventListener('pagehide', send);
    const message = `${about} will be sent in ${UNDO_MS / 1_000} seconds.`;
    toasts.show(message, { label: 'Undo', onUse: () => end(false) });
  });

/** Handles a click on email; resolves to the dialog to open, or undefined when the email was sent at once. */
export function useEmailSeller(): (vehicle: ListingWithOwner) => Promise<EmailDialogContent | undefined> {
  const { call, emit } = useSlotEnvironment();
  const { delivery, setDrafts, toasts } = useLeads();
  const store = useStore<RootState>();
  const sending = useRef(new Set<string>());

  return useCallback(
    async (vehicle) => {
      const listingId = vehicle.listing.id;
      const profile = await loadProfile(call);
      const action = emailActionFor(profile);
      const sendsNow = action === 'sendNow';
      // Opted in or out elsewhere.
      if (profile && store.getState().session.emailsInOneClick !== sendsNow)
        emit('lead.oneClickChanged', { isOn: sendsNow });
      if (action !== 'sendNow' || !profile)
        return { kind: action === 'editEmail' ? action : 'email', listingId, vehicle, profile };
      const seller = sellerName(vehicle);
      if (selectIsContacted(listingId)(store.getState())) {
        toasts.show(`You’ve already emailed ${seller}.`);
        return undefined;
      }
      // A double click sends once.
      if (sending.current.has(listingId)) return undefined;
      sending.current.add(listingId);
      const about = `Your message to ${seller}`;
      if (!(await waitForUndo(toasts, about))) {
        sending.current.delete(listingId);
        toasts.show(`${about} was not sent.`);
        return undefined;
      }
      const id = delivery.findPendingKey('emailOwner', listingId) ?? randomKey();
      const body = oneClickBody(vehicle, profile, id);
      const outcome = await delivery.send({ id, call: 'emailOwner', body, about, listingId });
      sending.current.delete(listingId);
      if (outcome === 'sent') {
        emit('lead.sent', { listingId });
        toasts.show(`${about} was sent.`);
        return undefined;
      }
      setDrafts((last) => withField(last, 'email', vehicle, 'comments', ONE_CLICK_COMMENT));
      toasts.show(`${about} was not sent.`);
      return { kind: 'email', listingId, vehicle, profile };
    },
    [call, emit, delivery, setDrafts, store, toasts],
  );
}
