import type { Owner } from '../entities/owner.ts';

/** Who sells: the only two there are (A1-ROLE-02, B6-ROLE-05). */
export type SellerRole = 'dealer' | 'private';

/** A seller's role; undefined for an owner that is not known, who may be neither offered to nor emailed. */
export const sellerRole = (owner: Pick<Owner, 'privateSeller'> | undefined): SellerRole | undefined =>
  owner && (owner.privateSeller ? 'private' : 'dealer');

/**
 * Who looks at a page (B6-ROLE-01, B6-ROLE-02, B6-ROLE-04). A role and the
 * flags decide everything that a page offers; there are no other permissions
 * (A6-ROLE-06, B6-ROLE-06).
 */
export type VisitorRole = 'visitor' | 'loggedIn' | 'bot';

export function visitorRole(session: { readonly signedIn: boolean; readonly isBot: boolean }): VisitorRole {
  if (session.isBot) return 'bot';
  return session.signedIn ? 'loggedIn' : 'visitor';
}
