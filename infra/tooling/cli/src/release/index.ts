export { type Action, ACTIONS, allows } from './actions.ts';
export { COMMIT_HEADER, commitSchema } from './archive.ts';
export { packArchive, unpackArchive } from './archive.ts';
export { readBuiltDirectory } from './archive.ts';
export { hasCode, RegistryError, type RegistryErrorCode, registryErrorStatus, zodReasons } from './format.ts';
export {
  integrityOf,
  MANIFEST_FILE,
  MAX_RELEASE_BYTES,
  MAX_RELEASE_FILES,
  type ReleaseFiles,
  type ReleaseId,
  releaseIdSchema,
  releaseLabel,
  type ReleaseUpload,
  type VerifiedRelease,
} from './format.ts';
export {
  canaryReportSchema,
  garbageSchema,
  historySchema,
  holdsSchema,
  listSchema,
  type Origin,
  originSchema,
  type PointerChange,
  pointerChangeSchema,
  type PointerVerb,
  POINTER_VERBS,
} from './format.ts';
export {
  type Caller,
  callerSchema,
  type Credential,
  credentialNameSchema,
  credentialSchema,
  credentialsSchema,
  describeScopes,
  issuedCredentialSchema,
  type Scope,
  scopeSchema,
} from './identities.ts';
export {
  canonicalJson,
  canonicalManifest,
  isSignedBy,
  keyIdOf,
  parseSignature,
  publicKeySchema,
  sha256,
  SIGNATURE_HEADER,
  type SignedManifest,
  signedManifestSchema,
  type SigningKey,
  signingKeySchema,
  signingKeysSchema,
} from './identities.ts';
export {
  describeHead,
  EMPTY_LOG,
  type LogEntry,
  type LogEvent,
  type LogHead,
  logPageSchema,
  nextEntry,
  readEntry,
} from './log.ts';
export { verifyRelease } from './verifyRelease.ts';
