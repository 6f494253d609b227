import { join } from 'node:path';
import { writeManifest } from '@forecourt/build/buildRelease';
import { defineRemote, readRemotePackage } from '@forecourt/build/defineRemote';
import { publishRelease, RegistryCallError } from '@forecourt/cli/client';
import { REPOSITORY } from './repository.ts';
import { type BuildWatch, redirect, watchBuild } from './watchBuild.ts';

async function promote(registryUrl: string, name: string, version: string): Promise<void> {
  const response = await fetch(new URL(`/api/remotes/${name}/promote`, registryUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version }),
  });
  if (!response.ok) throw new Error(`the registry refused ${name}@${version}: ${await response.text()}`);
}

/** Rebuilds a remote on change and makes each build live: the shell follows by itself. */
export function watchRemote(
  remote: string,
  options: {
    readonly dataDir: string;
    readonly registryUrl: string;
    readonly onLive: (version: string, ms: number) => void;
    readonly onError: (message: string) => void;
  },
): BuildWatch {
  const remotePackage = readRemotePackage(join(REPOSITORY, remote));
  const dist = join(options.dataDir, 'dev', remote);
  return watchBuild(redirect(defineRemote(remotePackage), dist), {
    onError: options.onError,
    async onBuilt(stats, ms) {
      const started = performance.now();
      const { name, version } = await writeManifest(remotePackage, stats, dist);
      try {
        await publishRelease({ directory: dist, registryUrl: options.registryUrl });
      } catch (error) {
        // The same content was built before: an edit taken back.
        if (!(error instanceof RegistryCallError) || error.code !== 'RELEASE_EXISTS') throw error;
      }
      await promote(options.registryUrl, name, version);
      options.onLive(version, ms + performance.now() - started);
    },
  });
}
