import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promote, publish, readManifest } from '@forecourt/e2e/releases';
import { freePort, remoteNames, type Service, startService } from '@forecourt/local';
import { distOf } from './builds.ts';

export interface OwnRegistry {
  readonly url: string;
  readonly service: Service;
  /** Absolute folder of all that it keeps. */
  readonly folder: string;
}

/** A registry beside that of a stack, over a folder of its own, with every remote's build live. */
export async function startRegistry(dataDir: string, logDir: string): Promise<OwnRegistry> {
  const port = await freePort();
  mkdirSync(logDir, { recursive: true });
  const service = startService({
    name: 'remote-registry',
    folder: 'infra/services/remote-registry',
    script: 'src/server.ts',
    port,
    logDir,
    environment: {
      NODE_OPTIONS: '',
      HOST: '127.0.0.1',
      LOCAL_MODE: 'true',
      REGISTRY_BROTLI_QUALITY: '5',
      DATA_DIR: dataDir,
      REGISTRY_PORT: String(port),
    },
  });
  await service.ready();
  const url = `http://127.0.0.1:${port}`;
  for (const directory of remoteNames().map(distOf)) {
    const { name, version } = readManifest(directory);
    await publish(url, directory);
    await promote(url, name, version);
  }
  return { url, service, folder: join(dataDir, 'registry') };
}
