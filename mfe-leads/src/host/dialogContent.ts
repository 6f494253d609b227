import type { CertifiedProgram, DealerDifference } from '../dialogs/content/loadContent.ts';
import type { ListingWithOwner } from '../listing/findListing.ts';
import type { EventInput } from '@forecourt/slots/events';
import type { LeadProfile } from '@forecourt/upstream/entities';
import type { SignInRequest } from '../dialogs/signIn/SignInPrompt.tsx';

/** Content of a dialog, as of the request: a new search does not change it. */
export type DialogContent =
  | {
      readonly kind: 'email' | 'editEmail' | 'offer' | 'call' | 'share' | 'report';
      readonly listingId: string;
      readonly vehicle: ListingWithOwner | undefined;
      readonly profile?: LeadProfile | undefined;
    }
  | { readonly kind: 'wallet'; readonly vehicle: ListingWithOwner | undefined }
  | { readonly kind: 'emailSearch'; readonly search: { readonly url: string; readonly title: string } }
  | { readonly kind: 'signIn'; readonly request: SignInRequest }
  | ({ readonly kind: 'certifiedProgram' } & CertifiedProgram)
  | { readonly kind: 'dealerDifference'; readonly dealer: DealerDifference; readonly name: string }
  | { readonly kind: 'electricVehicles' };

/** `id` is unique per opening, so that each opening starts with a fresh form. */
export type OpenDialog = DialogContent & { readonly id: number };

type DialogKind = DialogContent['kind'];

/** Dialogs that other remotes open by name. */
const NAMED_DIALOGS = [
  'wallet',
  'emailSearch',
  'certifiedProgram',
  'dealerDifference',
  'electricVehicles',
] as const satisfies readonly (EventInput<'dialog.requested'>['name'] & DialogKind)[];

export type NamedDialog = (typeof NAMED_DIALOGS)[number];

export const isNamedDialog = (name: string): name is NamedDialog =>
  NAMED_DIALOGS.some((dialog) => dialog === name);

/** Text-only dialogs, which the shared dialog renders in a readable width. */
export const TEXT_DIALOGS: readonly DialogKind[] = [
  'certifiedProgram',
  'dealerDifference',
  'electricVehicles',
];

const TITLES: Readonly<Record<Exclude<DialogKind, 'certifiedProgram' | 'dealerDifference'>, string>> = {
  email: 'Email the seller',
  editEmail: 'Complete your details',
  offer: 'Make an offer',
  call: 'Call the seller',
  share: 'Share this vehicle',
  report: 'Report this vehicle',
  signIn: 'Sign in',
  emailSearch: 'Get emails for this search',
  wallet: 'Your budget',
  electricVehicles: 'Electric vehicle types',
};

export function titleOf(content: DialogContent): string {
  if (content.kind === 'certifiedProgram') return content.program.heading;
  if (content.kind === 'dealerDifference') return `Why ${content.name}`;
  return TITLES[content.kind];
}
