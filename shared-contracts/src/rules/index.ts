export * from './constants.ts';
export * from './zip.ts';
