import { LOCAL_MANIFEST_PATH } from '@forecourt/shared-contracts/slots/overridePaths';
import { releaseManifestSchema, type ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import {
  fetchBytes,
  fetchFile,
  ReleaseError,
  type RegistryClient,
} from '../../../server/releases/registryClient.ts';

/** Timeout per response; ms. */
const TIMEOUT_MS = 5_000;
const MAX_MANIFEST_BYTES = 256 * 1024;
/** Per file; local builds may not be minified. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Source of a release's manifest and files: the registry or a local build. */
export type ReleaseSource = Pick<RegistryClient, 'file'> & {
  readonly manifest: () => Promise<ReleaseManifest>;
};

/** Parses the manifest of a build. @throws ReleaseError REGISTRY_ANSWER */
export function parseManifest(text: string, remote: string): ReleaseManifest {
  let manifest: ReleaseManifest;
  try {
    manifest = releaseManifestSchema.parse(JSON.parse(text));
  } catch {
    throw new ReleaseError('REGISTRY_ANSWER', 'the response is not a release.json');
  }
  if (manifest.name !== remote)
    throw new ReleaseError('REGISTRY_ANSWER', `the build is ${manifest.name}, not ${remote}`);
  return manifest;
}

/**
 * Reads a build that a tester serves. `origin` must be on the allowlist. Follows no
 * redirects; size and time are limited. @throws ReleaseError
 */
export function createOriginClient(origin: string, remote: string, timeoutMs = TIMEOUT_MS): ReleaseSource {
  const get = (path: string, limit: number) =>
    fetchBytes(origin + path, { limit, timeoutMs, credentials: 'omit' });
  return {
    async manifest() {
      const { body } = await get(LOCAL_MANIFEST_PATH, MAX_MANIFEST_BYTES);
      return parseManifest(body.toString('utf8'), remote);
    },
    file: (manifest, path) =>
      fetchFile(manifest, path, (limit) => get(`/${path}`, Math.min(limit, MAX_FILE_BYTES))),
  };
}
