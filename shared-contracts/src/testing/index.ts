export * from './builders.ts';
export * from './TestShell.tsx';
