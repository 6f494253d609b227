declare module 'jest-circus/runner' {
  type CircusEvent = import('./circus.ts').CircusEvent;
  type CircusState = import('./circus.ts').CircusState;

  export interface JestEnvironment {
    global: Record<string, unknown>;
    handleTestEvent?: (event: CircusEvent, state: CircusState) => Promise<void> | void;
  }

  // A CommonJS module with a `default` of its own.
  const exports: {
    default: (
      globalConfig: unknown,
      config: { globals: Record<string, unknown> },
      environment: JestEnvironment,
      runtime: unknown,
      testPath: string,
      send?: unknown,
    ) => Promise<unknown>;
  };
  export default exports;
}
