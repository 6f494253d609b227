import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ReleaseManifest, releaseFilePath, releaseManifestSchema } from '@forecourt/releases/manifest';
import { callRegistry, RegistryCallError, type RegistryAccess } from '@forecourt/release-kit/registryClient';
import { integrityOf } from '@forecourt/release-kit/releaseFiles';

const TIMEOUT_MS = 30_000;

/** Writes the files of a published release into `folder`. @throws RegistryCallError */
export async function downloadRelease(
  access: RegistryAccess,
  { name, version }: { readonly name: string; readonly version: string },
  folder: string,
): Promise<ReleaseManifest> {
  const call = { method: 'GET' as const, path: `/api/releases/${name}/${version}` };
  const manifest = await callRegistry(access, call, releaseManifestSchema);
  const download = async (path: string, integrity: string): Promise<void> => {
    const url = new URL(releaseFilePath(name, version, path), access.registryUrl);
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok || integrityOf(bytes) !== integrity)
      throw new RegistryCallError('UNREACHABLE', `${url.href} is not the file that was published`);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  };
  await Promise.all(Object.entries(manifest.files).map(([path, { integrity }]) => download(path, integrity)));
  return manifest;
}
