import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import type { ListingOnPage } from '../listing/findListing.ts';
import { ONE_CLICK_COMMENT } from './drafts.ts';
import type { EmailOwner } from '../callTypes.ts';

/**
 * What a click on email does (A4-EMAIL-01, A4-EMAIL-04, A4-EMAIL-05, AMB-103):
 * send at once for a visitor who agreed to that and is known well enough, ask
 * for what is missing of one who agreed, show the whole form to anybody else.
 */
export function emailActionFor(profile: LeadProfile | undefined): 'sendAtOnce' | 'editEmail' | 'email' {
  if (!profile?.isOneClickOptedIn) return 'email';
  const isComplete = [profile.firstName, profile.lastName, profile.email].every((text) => text.trim() !== '');
  return isComplete ? 'sendAtOnce' : 'editEmail';
}

/** The body of an email that is sent at once (A3-LEAD-02, A4-EMAIL-02). */
export const oneClickBody = (
  { listing }: ListingOnPage,
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
