declare module 'jest-circus/runner' {
  export interface JestEnvironment {
    global: Record<string, unknown>;
    handleTestEvent?: (event: unknown, state: unknown) => Promise<void> | void;
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
