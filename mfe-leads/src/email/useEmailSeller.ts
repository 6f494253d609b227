import { useCallback, useEffect, useRef } from 'react';
import { useStore } from 'react-redux';
import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import type { RootState } from '@forecourt/shared-contracts/store';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { newKey } from '../form/newKey.ts';
import { useLeads } from '../host/leadsContext.ts';
import type { DialogContent } from '../host/opened.ts';
import { sellerName, type ListingOnPage } from '../listing/findListing.ts';
import { ONE_CLICK_COMMENT, withField } from './drafts.ts';
import { emailActionFor, oneClickBody } from './oneClick.ts';
import { selectIsContacted } from '../host/selectIsContacted.ts';

/** ms; a shopper who clicked does not wait longer for what is known of them. */
const PROFILE_WITHIN_MS = 1_000;

/**
 * The answer to a click on email: sends at once where that was agreed to, and
 * answers the dialog to open otherwise, or when it could not be sent (AMB-103).
 */
export function useEmailSeller(): (found: ListingOnPage) => Promise<DialogContent | undefined> {
  const { call, emit } = useSlotEnvironment();
  const { delivery, setDrafts, toasts } = useLeads();
  const store = useStore<RootState>();
  const profile = useRef<Promise<LeadProfile | undefined>>(undefined);
  const sending = useRef(new Set<string>());
  const toastsRef = useRef(toasts);
  useEffect(() => {
    toastsRef.current = toasts;
  });

  return useCallback(
    async (found) => {
      const { listing } = found;
      const listingId = listing.id;
      // Known anew for each click: the form may have changed it, and its answer is small.
      profile.current = call('leadCandidates', {}).then(
        (answer) => answer.profile,
        () => undefined,
      );
      const late = new Promise<undefined>((resolve) =>
        setTimeout(() => resolve(undefined), PROFILE_WITHIN_MS),
      );
      const known = await Promise.race([profile.current, late]);
      const action = emailActionFor(known);
      if (action !== 'sendAtOnce' || !known)
        return { kind: action === 'editEmail' ? action : 'email', listingId, found, profile: known };
      const seller = sellerName(found);
      if (selectIsContacted(listingId)(store.getState())) {
        toastsRef.current.show(`You have written to ${seller} already.`);
        return undefined;
      }
      // A double click sends once.
      if (sending.current.has(listingId)) return undefined;
      sending.current.add(listingId);
      const id = delivery.waitingFor('emailOwner', listingId) ?? newKey();
      const about = `Your message to ${seller}`;
      const body = oneClickBody(found, known, id);
      const outcome = await delivery.send({ id, call: 'emailOwner', body, about, listingId });
      sending.current.delete(listingId);
      if (outcome === 'sent') {
        emit('lead.sent', { listingId });
        toastsRef.current.show(`${about} was sent.`);
        return undefined;
      }
      setDrafts((last) => withField(last, 'email', found, 'comments', ONE_CLICK_COMMENT));
      toastsRef.current.show(`${about} was not sent.`);
      return { kind: 'email', listingId, found, profile: known };
    },
    [call, emit, delivery, setDrafts, store],
  );
}
