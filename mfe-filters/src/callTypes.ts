import type { CallResponses } from '@forecourt/shared-contracts/calls';

// Shapes of the calls that this package makes or serves, by the table of the contract.
export type KeywordSuggestion = CallResponses['suggestedKeywords']['suggestions'][number];
export type PackageName = CallResponses['packages']['results']['packageNames'][number];
