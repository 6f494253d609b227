import type { CallResponses } from '@forecourt/shared-contracts/calls';

// Shapes of the calls that this package makes or serves, by the table of the contract.
export type ConsumerRatings = CallResponses['consumerRatings'];
export type MileageStats = CallResponses['mileageStats'];
export type ModelInfo = CallResponses['modelInfo']['models'][number];
export type SafetyInfo = CallResponses['safety'];
export type TrimSpec = CallResponses['specs'][number];
