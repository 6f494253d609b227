import type { CallBodies, CallResponses } from '@forecourt/shared-contracts/calls';

// Shapes of the calls that this package makes or serves, by the table of the contract.
export type BookmarkForm = CallBodies['saveSearch'];
export type CertifiedContent = CallResponses['certifiedContent'][number];
export type CertifiedSponsor = NonNullable<CallResponses['certifiedSponsor']>;
export type Deal = CallBodies['saveDeal'];
export type DealerDiff = NonNullable<CallResponses['dealerDiff']>;
export type EmailOwner = CallBodies['emailOwner'];
export type PaymentCalculation = NonNullable<CallResponses['paymentCalculation']>;
