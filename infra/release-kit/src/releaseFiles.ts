import { createHash } from 'node:crypto';
import { type ReleaseManifest, remoteNameSchema, versionSchema } from '@forecourt/releases/manifest';
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
