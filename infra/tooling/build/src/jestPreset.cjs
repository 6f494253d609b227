// Jest preset of a remote: `"jest": {"preset": "@forecourt/build"}`. Paths are absolute, so that it also works
// from node_modules.
module.exports = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.(ts|tsx)$': require.resolve('./jestTransform.cjs') },
  moduleNameMapper: { '\\.css$': require.resolve('./jestCssModules.cjs') },
  setupFilesAfterEnv: [require.resolve('./jestSetup.mjs')],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
};
