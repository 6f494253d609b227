/** Names of tests and style files that are still to be renamed after their source. */
export const MISNAMED: ReadonlySet<string> = new Set([
  'allowList.test.ts',
  'attacks.test.ts',
  'callTimes.test.ts',
  'compressOnce.test.ts',
  'failureClaims.test.ts',
  'limits.test.ts',
  'loadLevel.test.ts',
  'originClient.test.ts',
  'protections.test.ts',
  'releaseSignatures.test.ts',
  'renderers.test.ts',
  'renewSession.test.ts',
  'tester.test.ts',
  'visitors.test.ts',
]);
