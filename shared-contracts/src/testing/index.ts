export * from './builders.ts';
export * from './mountScenario.tsx';
export * from './played.tsx';
export * from './scenario.ts';
export * from './testEnvironment.ts';
export * from './TestShell.tsx';
export * from './slugReference.ts';
