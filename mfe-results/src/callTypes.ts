import type { CallBodies, CallResponses } from '@forecourt/shared-contracts/calls';

// Request and response types of the calls that this remote makes.
export type Ad = CallResponses['ad'];
export type BrowsingHistory = CallResponses['browsingHistory'];
export type ExpertReview = CallResponses['expertReviews'][number];
export type Spin = NonNullable<CallResponses['spin']>;
export type StillInterested = CallBodies['stillInterested'];
