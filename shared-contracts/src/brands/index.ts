export * from './brands.ts';
export * from './flags.ts';
export * from './programCopy.ts';
