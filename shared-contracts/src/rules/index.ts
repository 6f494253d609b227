export * from './constants.ts';
export * from './detailUrl.ts';
export * from './zip.ts';
