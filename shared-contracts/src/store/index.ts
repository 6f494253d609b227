export * from './createStore.ts';
export * from './facts.ts';
export * from './hooks.ts';
export * from './kept.ts';
export * from './searchSlice.ts';
export * from './sessionSlice.ts';
export type * from './state.ts';
