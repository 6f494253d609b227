// Jest preset of a remote: `"jest": {"preset": "@forecourt/build"}`. Paths are absolute, so that it also works
// from node_modules.

// Testing Library prints the DOM with each failed query: a part of it, and with colors only on a terminal.
process.env.DEBUG_PRINT_LIMIT ??= '1500';
process.env.COLORS ??= String(Boolean(process.stdout.isTTY));

module.exports = {
  testEnvironment: require.resolve('./jestNodeEnvironment.cjs'),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.(ts|tsx)$': require.resolve('./jestTransform.cjs') },
  moduleNameMapper: { '\\.css$': require.resolve('./jestCssModules.cjs') },
  setupFilesAfterEnv: [require.resolve('./jestSetup.mjs')],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  // More than a query waits for what it expects, so that the query says what is missing.
  testTimeout: 30_000,
};
