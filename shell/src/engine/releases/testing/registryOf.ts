import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { integrityOf, type LoadedRelease } from '../../rendering/release.ts';
import type { RegistryClient } from '../registryClient.ts';

/** A registry that has this release alone: its server code, and its files for browsers. */
export function registryOf({
  manifest,
  nodeSources,
  webFiles,
}: LoadedRelease): Pick<RegistryClient, 'manifest' | 'file'> {
  const files: Readonly<Record<string, Buffer>> = {
    ...Object.fromEntries(webFiles),
    'node/remoteEntry.cjs': Buffer.from(nodeSources.get('remoteEntry.cjs') ?? ''),
  };
  const described = Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [
      path,
      { integrity: integrityOf(bytes), bytes: bytes.length },
    ]),
  );
  const published: ReleaseManifest = { ...manifest, files: described };
  return {
    manifest: () => Promise.resolve(published),
    file: (_, path) => Promise.resolve(files[path] ?? Buffer.alloc(0)),
  };
}
