import { releaseFilePath, type ReleaseManifest } from '@forecourt/releases/manifest';
import type { RegistryAccess } from '@forecourt/release-kit/registryClient';
import { integrityOf } from '@forecourt/release-kit/releaseFiles';

const TIMEOUT_MS = 10_000;

/** Compressed forms are files of their own, which can change alone. */
const ENCODINGS = ['identity', 'br'] as const;

/** Why a form of a file is not the published one; undefined if it is, or doesn't exist. */
async function problemOf(
  url: URL,
  encoding: (typeof ENCODINGS)[number],
  integrity: string,
): Promise<string | undefined> {
  let response: Response;
  let bytes: ArrayBuffer;
  try {
    response = await fetch(url, {
      headers: { 'Accept-Encoding': encoding },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return `returns ${response.status}`;
    // Decoded: the integrity is that of the original.
    bytes = await response.arrayBuffer();
  } catch {
    return 'cannot be read: it is missing, damaged or of another length';
  }
  return integrityOf(Buffer.from(bytes)) === integrity ? undefined : 'is not the file that was published';
}

/** Checks the files of a release as the registry serves them, in every form; a problem names its file. */
export async function verifyServedFiles(
  access: RegistryAccess,
  { name, version, files }: Pick<ReleaseManifest, 'name' | 'version' | 'files'>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [file, { integrity }] of Object.entries(files)) {
    const url = new URL(releaseFilePath(name, version, file), access.registryUrl);
    for (const encoding of ENCODINGS) {
      const problem = await problemOf(url, encoding, integrity);
      if (problem === undefined) continue;
      problems.push(`${file} ${problem}${encoding === 'br' ? ' (its compressed form)' : ''}`);
      break;
    }
  }
  return problems;
}
