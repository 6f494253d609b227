import type { CallBodies, CallResponses } from '@forecourt/shared-contracts/calls';

// Shapes of the calls that this package makes or serves, by the table of the contract.
export type Ad = CallResponses['ad'];
export type BrowsingHistory = CallResponses['browsingHistory'];
export type ExpertReview = CallResponses['expertReviews'][number];
export type Spin = NonNullable<CallResponses['spin']>;
export type StillInterested = CallBodies['stillInterested'];
