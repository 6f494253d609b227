import type { CallResponses } from '@forecourt/shared-contracts/calls';

// Request and response types of the calls that this remote makes.
export type ConsumerRatings = CallResponses['consumerRatings'];
export type MileageStats = CallResponses['mileageStats'];
export type ModelInfo = CallResponses['modelInfo']['models'][number];
export type SafetyInfo = CallResponses['safety'];
export type TrimSpec = CallResponses['specs'][number];
