import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import type { DealerDifference } from '../dealer/loadDealerDifference.ts';
import type { ListingOnPage } from '../listing/findListing.ts';
import type { SignInRequest } from '../savedListings/signIn.ts';
import type { DialogKind } from './dialogKinds.ts';
import type { CertifiedContent, CertifiedSponsor } from '../callTypes.ts';

/** The content of a dialog: what it is about, as it was when it was asked for. A newer search does not change it. */
export type DialogContent =
  | {
      readonly kind: 'email' | 'editEmail' | 'offer' | 'call' | 'share' | 'report';
      readonly listingId: string;
      readonly found: ListingOnPage | undefined;
      readonly profile?: LeadProfile | undefined;
    }
  | { readonly kind: 'wallet'; readonly found: ListingOnPage | undefined }
  | { readonly kind: 'emailSearch'; readonly search: { readonly url: string; readonly title: string } }
  | { readonly kind: 'signIn'; readonly request: SignInRequest }
  | {
      readonly kind: 'certifiedProgram';
      readonly program: CertifiedContent;
      readonly sponsor: CertifiedSponsor;
    }
  | { readonly kind: 'dealerDifference'; readonly dealer: DealerDifference; readonly name: string }
  | { readonly kind: 'electricVehicles' };

/** `opening` differs for each opening, so that each starts with a form of its own. */
export type Opened = DialogContent & {
  readonly kind: DialogKind;
  readonly opening: number;
  readonly title?: string;
};
