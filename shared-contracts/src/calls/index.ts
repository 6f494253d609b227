export { BATCH } from './batch.ts';
export type { CallDefinition } from './definition.ts';
export { CALLS, type CallBodies, type CallName, type CallParams, type CallResponses } from './table.ts';
