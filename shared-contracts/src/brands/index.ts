export * from './brands.ts';
export * from './flags.ts';
