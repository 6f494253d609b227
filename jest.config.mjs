/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testMatch: ['<rootDir>/**/src/**/*.test.{ts,tsx}', '<rootDir>/infra/spec/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/.cache/'],
  modulePathIgnorePatterns: ['/dist/', '/.data/', '/.cache/', '/infra/e2e/fixtures/'],
  transform: { '^.+\\.(ts|tsx)$': '<rootDir>/infra/build/src/jestTransform.cjs' },
  moduleNameMapper: { '\\.css$': '<rootDir>/infra/build/src/jestCssModules.cjs' },
  setupFilesAfterEnv: ['<rootDir>/infra/build/src/jestSetup.mjs'],
  cacheDirectory: '<rootDir>/.cache/jest',
  maxWorkers: 2,
  // Property tests over HTTP share two cores with everything else.
  testTimeout: 30_000,
};
