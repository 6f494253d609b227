import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  // The preset of the remotes, so that a remote's tests run here as they do in its own repository.
  preset: '@forecourt/build',
  testMatch: ['<rootDir>/**/src/**/*.test.{ts,tsx}', '<rootDir>/infra/proofs/requirements/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/.cache/'],
  modulePathIgnorePatterns: ['/dist/', '/.data/', '/.cache/', '/infra/proofs/harness/fixtures/'],
  cacheDirectory: '<rootDir>/.cache/jest',
  // More than cores: tests of child processes and limits wait most of their time.
  maxWorkers: Math.min(availableParallelism() + 2, 8),
  // Each file leaves some 15 MB of modules behind; a worker that has grown is replaced.
  workerIdleMemoryLimit: '1GB',
};
