import type { EventInput } from '@forecourt/shared-contracts/events';

/** Everything that the one dialog of this remote can show. */
export type DialogKind =
  | 'email'
  | 'editEmail'
  | 'offer'
  | 'call'
  | 'share'
  | 'report'
  | 'signIn'
  | 'emailSearch'
  | 'wallet'
  | 'certifiedProgram'
  | 'dealerDifference'
  | 'electricVehicles';

/** Kinds that other remotes ask for by name. */
export const NAMED_DIALOGS = [
  'wallet',
  'emailSearch',
  'certifiedProgram',
  'dealerDifference',
  'electricVehicles',
] as const satisfies readonly (EventInput<'dialog.requested'>['name'] & DialogKind)[];
export type NamedDialog = (typeof NAMED_DIALOGS)[number];

export const isNamedDialog = (name: string): name is NamedDialog =>
  NAMED_DIALOGS.some((known) => known === name);

/** Heading of each; those that depend on their content bring their own. */
export const TITLES: Readonly<Record<DialogKind, string>> = {
  email: 'Email the seller',
  editEmail: 'Complete your details',
  offer: 'Make an offer',
  call: 'Call the seller',
  share: 'Share this vehicle',
  report: 'Report this vehicle',
  signIn: 'Sign in',
  emailSearch: 'Get emails for this search',
  wallet: 'My wallet',
  certifiedProgram: 'Certified program',
  dealerDifference: 'Why this dealer',
  electricVehicles: 'Electric vehicle types',
};
