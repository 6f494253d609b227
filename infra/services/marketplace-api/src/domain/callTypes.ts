import type { CallBodies, CallResponses, CALLS } from '@forecourt/upstream/calls';
import type { z } from 'zod';

/** What the service sends; clients read some of it as something else, such as HTML as rich text. */
type Sent<Name extends keyof typeof CALLS> = z.input<(typeof CALLS)[Name]['response']>;

// Request and response types of the contract's calls.
export type AccountData = CallResponses['accountData'];
export type BookmarkForm = CallBodies['saveSearch'];
export type CertifiedContent = Sent<'certifiedContent'>[number];
export type CertifiedSponsor = NonNullable<Sent<'certifiedSponsor'>>;
export type ConsumerRatings = CallResponses['consumerRatings'];
export type Deal = CallBodies['saveDeal'];
export type DealerDiff = NonNullable<CallResponses['dealerDiff']>;
export type Device = CallBodies['registerDevice'];
export type EmailAlert = CallResponses['emailAlerts']['alerts'][number];
export type EmailOwner = CallBodies['emailOwner'];
export type ExpertReview = CallResponses['expertReviews'][number];
export type Incentive = CallResponses['incentives']['incentives'][number];
export type KeywordSuggestion = CallResponses['suggestedKeywords']['suggestions'][number];
export type LeadProfileForm = CallBodies['saveLeadProfile'];
export type MakeOffer = CallBodies['makeOffer'];
export type ModelInfo = CallResponses['modelInfo']['models'][number];
export type PackageName = CallResponses['packages']['results']['packageNames'][number];
export type PaymentCalculation = NonNullable<CallResponses['paymentCalculation']>;
export type Personalization = CallResponses['personalization'];
export type ReferenceOption = CallResponses['reference']['options'][number];
export type ReportListing = CallBodies['reportListing'];
export type SafetyInfo = CallResponses['safety'];
export type SavedListing = CallResponses['savedListings']['savedListings'][number];
export type ShareListing = CallBodies['shareListing'];
export type Spin = NonNullable<CallResponses['spin']>;
export type TrimSpec = CallResponses['specs'][number];
