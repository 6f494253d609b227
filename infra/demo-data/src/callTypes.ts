import type { CallResponses } from '@forecourt/shared-contracts/calls';

// Shapes of the calls that this package makes or serves, by the table of the contract.
export type ConsumerRatings = CallResponses['consumerRatings'];
export type SafetyInfo = CallResponses['safety'];
export type TrimSpec = CallResponses['specs'][number];
export type ExpertReview = CallResponses['expertReviews'][number];
