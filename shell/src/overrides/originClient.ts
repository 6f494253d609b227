import { LOCAL_MANIFEST_PATH } from '@forecourt/shared-contracts/slots/override';
import { releaseManifestSchema, type ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { integrityOf, ReleaseError, type RegistryClient } from '../releases/registryClient.ts';

/** For the whole answer, however slowly it comes; ms. */
const ANSWER_MS = 5_000;
const MAX_MANIFEST_BYTES = 256 * 1024;
/** Of one file of a build, which may not be minimised. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Where a release's manifest and files come from: the registry, or a local build as it stands. */
export type ReleaseSource = Pick<RegistryClient, 'file'> & {
  readonly manifest: () => Promise<ReleaseManifest>;
};

/** Reads a manifest that somebody's build has sent. @throws ReleaseError REGISTRY_ANSWER */
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
 * Reads a build that a tester serves. `origin` must be on the allow-list. No
 * redirect is followed, and neither an endless nor a dripping answer lasts
 * longer than the deadline. @throws ReleaseError
 */
export function createOriginClient(origin: string, remote: string, answerMs = ANSWER_MS): ReleaseSource {
  async function get(path: string, limit: number): Promise<Buffer> {
    try {
      const response = await fetch(`${origin}${path}`, {
        signal: AbortSignal.timeout(answerMs),
        redirect: 'error',
        credentials: 'omit',
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new ReleaseError('REGISTRY_ANSWER', `${origin}${path} answers ${response.status}`);
      }
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const part of response.body ?? []) {
        size += (part as Uint8Array).byteLength;
        if (size > limit) throw new ReleaseError('TOO_LARGE', `${path} has more than ${limit} bytes`);
        parts.push(part as Uint8Array);
      }
      return Buffer.concat(parts);
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
