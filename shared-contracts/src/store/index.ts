export * from './createStore.ts';
export * from './stateChanges.ts';
export * from './hooks.ts';
export * from './browserStorage.ts';
export * from './searchSlice.ts';
export * from './sessionSlice.ts';
export type * from './state.ts';
