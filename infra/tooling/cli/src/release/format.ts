import { createHash } from 'node:crypto';
import {
  type ReleaseManifest,
  pointersSchema,
  remoteNameSchema,
  versionSchema,
} from '@forecourt/shared-contracts/slots/release';
import semver from 'semver';
import { z } from 'zod';

/** Maximum bytes in all files of one release, `release.json` included; also the limit of a compressed upload. */
export const MAX_RELEASE_BYTES = 20 * 1024 * 1024;
/** Maximum number of files in one release, not counting `release.json`. */
export const MAX_RELEASE_FILES = 500;

export const MANIFEST_FILE = 'release.json';

/** Content types of a release's files by extension. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Path inside the release, as the manifest names it, to the file's bytes. */
export type ReleaseFiles = ReadonlyMap<string, Buffer>;

/** The manifest and files of a release before they are verified. */
export interface ReleaseUpload {
  readonly manifestBytes: Buffer;
  readonly files: ReleaseFiles;
}

/** A release whose files all match its manifest. */
export interface VerifiedRelease {
  manifest: ReleaseManifest;
  /** `release.json` byte for byte as published. */
  manifestBytes: Buffer;
  files: ReleaseFiles;
}

/** Stricter than the contract: semver must be able to order the version, which excludes '01.0.0'. */
export const releaseIdSchema = z.object({
  name: remoteNameSchema,
  version: versionSchema.refine((version) => semver.valid(version) === version, 'must be a semantic version'),
});
export type ReleaseId = z.infer<typeof releaseIdSchema>;

/** 'mfe-results@1.4.0' */
export const releaseLabel = ({ name, version }: ReleaseId): string => `${name}@${version}`;

/** Subresource Integrity of uncompressed bytes, in the form manifests use. */
export const integrityOf = (bytes: Buffer): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

/** Every error code of the registry with its HTTP status. */
export const registryErrorStatus = {
  BAD_REQUEST: 400,
  ARCHIVE_INVALID: 400,
  RELEASE_INVALID: 400,
  UNAUTHORIZED: 401,
  WRITE_REFUSED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNKNOWN_RELEASE: 404,
  UNKNOWN_CREDENTIAL: 404,
  UNKNOWN_KEY: 404,
  NOT_SIGNED: 404,
  RELEASE_EXISTS: 409,
  CREDENTIAL_EXISTS: 409,
  REVISION_CHANGED: 409,
  NO_LIVE_RELEASE: 409,
  NO_CANARY: 409,
  NO_PREVIOUS_RELEASE: 409,
  CANARY_IS_LIVE: 409,
  REMOTE_HELD: 409,
  TOO_LARGE: 413,
  GATE_REFUSED: 422,
  SIGNATURE_INVALID: 422,
  STORAGE_DAMAGED: 500,
  INTERNAL: 500,
  SHELL_UNREACHABLE: 502,
  ISSUER_UNAVAILABLE: 503,
  STORAGE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

export type RegistryErrorCode = keyof typeof registryErrorStatus;

/** An error with a stable code and a one-line message for the caller. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly code: RegistryErrorCode;

  /** Machine-readable fields of the error response besides code and message. */
  readonly details: object;

  constructor(
    code: RegistryErrorCode,
    message: string,
    options?: ErrorOptions & { readonly details?: object },
  ) {
    super(message, options);
    this.code = code;
    this.details = options?.details ?? {};
  }

  get status(): number {
    return registryErrorStatus[this.code];
  }
}

/** Whether a thrown value carries one of these system codes ('ENOENT', …). */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));

/** The issues of a failed parse in one line: `path: message; path: message`. */
export const zodReasons = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');

// Responses of the registry's API, except for pointers and manifests, which belong to the contract.

const pointerSchema = pointersSchema.shape.remotes.valueType;

/** Who moved a pointer (the name of the credential) and why; stored for people to read later. */
export const originSchema = z.object({
  by: z.string().min(1).max(100),
  why: z.string().trim().min(1).max(500).optional(),
  /** Whether the gate was skipped, in an emergency. */
  skipGate: z.literal(true).optional(),
});
export type Origin = z.infer<typeof originSchema>;

export const POINTER_VERBS = ['pointer', 'canary', 'promote', 'rollback', 'hold', 'resume'] as const;
export type PointerVerb = (typeof POINTER_VERBS)[number];

/** One history entry: the change that led to `revision`. */
export const pointerChangeSchema = originSchema.extend({
  revision: z.number().int().positive(),
  at: z.iso.datetime(),
  remote: remoteNameSchema,
  verb: z.enum(POINTER_VERBS),
  /** Null for the first pointer of a remote. */
  before: pointerSchema.nullable(),
  after: pointerSchema,
});
export type PointerChange = z.infer<typeof pointerChangeSchema>;

const count = z.number().int().nonnegative();
const outcomesSchema = z.object({ good: count, bad: count });

/** How a canary fares against the live release, over all shells that reported it. */
export const canaryReportSchema = z.object({
  remote: remoteNameSchema,
  live: versionSchema,
  canary: z.object({ version: versionSchema, weight: z.number() }),
  /** When its present share was set. */
  since: z.iso.datetime().optional(),
  /** Shells that reported it. */
  shells: count,
  windowMinutes: z.number().positive(),
  /** Failures of renders and hydrations, then web vitals. */
  measures: z.array(
    z.object({
      /** 'failures', or the name of a vital. */
      name: z.string(),
      /** A vital's `bad` measurements are slower; ms. */
      goodMs: z.number().positive().optional(),
      canary: outcomesSchema,
      live: outcomesSchema,
      verdict: z.object({
        kind: z.enum(['worse', 'suspect', 'fine', 'share-too-small', 'undecided']),
        /** Until there is enough evidence; absent without any. */
        minutesLeft: z.number().optional(),
      }),
    }),
  ),
});

/** Remote to who holds it: its pointer changes by a rollback or the end of a canary only. */
export const holdsSchema = z.object({
  holds: z.record(
    remoteNameSchema,
    originSchema.pick({ by: true, why: true }).extend({ at: z.iso.datetime() }),
  ),
});

export const listSchema = z.object({
  releases: z.array(
    releaseIdSchema.extend({
      publishedAt: z.string(),
      bytes: z.number(),
      files: z.number(),
      /** Who published it, from which commit; absent if that was not stored. */
      by: z.string().optional(),
      commit: z.string().optional(),
    }),
  ),
});
export const historySchema = z.object({ changes: z.array(pointerChangeSchema) });
export const garbageSchema = z.object({
  removed: z.array(releaseIdSchema.extend({ publishedAt: z.string() })),
  dryRun: z.boolean(),
});
