import { LOCAL_MANIFEST_PATH } from '@forecourt/shared-contracts/slots/override';
import { releaseManifestSchema, type ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { readBody } from '../../../server/bounds/readBody.ts';
import { integrityOf, ReleaseError, type RegistryClient } from '../../../server/releases/registryClient.ts';

/** For the whole response; ms. */
const RESPONSE_MS = 5_000;
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
    throw new ReleaseError('REGISTRY_ANSWER', 'what is served there is no release.json');
  }
  if (manifest.name !== remote)
    throw new ReleaseError('REGISTRY_ANSWER', `what is served there is ${manifest.name}, not ${remote}`);
  return manifest;
}

/**
 * Reads a build that a tester serves. `origin` must be on the allowlist. Does
 * not follow redirects; size and time are limited. @throws ReleaseError
 */
export function createOriginClient(origin: string, remote: string, timeoutMs = RESPONSE_MS): ReleaseSource {
  async function get(path: string, limit: number): Promise<Buffer> {
    try {
      const response = await fetch(`${origin}${path}`, {
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        credentials: 'omit',
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new ReleaseError('REGISTRY_ANSWER', `${origin}${path} answers ${response.status}`);
      }
      return await readBody(
        response,
        limit,
        () => new ReleaseError('TOO_LARGE', `${path} has more than ${limit} bytes`),
      );
    } catch (error) {
      if (error instanceof ReleaseError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ReleaseError('REGISTRY_UNREACHABLE', `${origin}${path}: ${reason}`);
    }
  }

  return {
    manifest: async () =>
      parseManifest((await get(LOCAL_MANIFEST_PATH, MAX_MANIFEST_BYTES)).toString('utf8'), remote),
    async file({ files }, path) {
      const expected = files[path];
      if (!expected) throw new ReleaseError('REGISTRY_ANSWER', `the build has no file ${path}`);
      const bytes = await get(`/${path}`, Math.min(expected.bytes, MAX_FILE_BYTES));
      if (integrityOf(bytes) !== expected.integrity)
        throw new ReleaseError('INTEGRITY', `${path} is not the file that release.json names`);
      return bytes;
    },
  };
}
