/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testMatch: ['<rootDir>/**/src/**/*.test.{ts,tsx}', '<rootDir>/infra/proofs/spec/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/.cache/'],
  modulePathIgnorePatterns: ['/dist/', '/.data/', '/.cache/', '/infra/proofs/e2e/fixtures/'],
  transform: { '^.+\\.(ts|tsx)$': '<rootDir>/infra/tooling/build/src/jestTransform.cjs' },
  moduleNameMapper: { '\\.css$': '<rootDir>/infra/tooling/build/src/jestCssModules.cjs' },
  setupFilesAfterEnv: ['<rootDir>/infra/tooling/build/src/jestSetup.mjs'],
  cacheDirectory: '<rootDir>/.cache/jest',
  maxWorkers: 2,
  // Property tests over HTTP share two cores with everything else.
  testTimeout: 30_000,
};
