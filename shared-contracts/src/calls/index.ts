export type { CallDefinition, CallFallback } from './definition.ts';
export { CALLS, type CallName, type CallParams, type CallResponses } from './table.ts';
