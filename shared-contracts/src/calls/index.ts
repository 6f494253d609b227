export * from './table.ts';
export type * from './types.ts';
