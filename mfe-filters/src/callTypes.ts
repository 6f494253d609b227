import type { CallResponses } from '@forecourt/shared-contracts/calls';

// Request and response types of the calls that this remote makes.
export type KeywordSuggestion = CallResponses['suggestedKeywords']['suggestions'][number];
export type PackageName = CallResponses['packages']['results']['packageNames'][number];
