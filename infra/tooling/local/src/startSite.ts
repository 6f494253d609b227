import { join } from 'node:path';
import { openLocalStorage } from '@forecourt/remote-registry/offline';
import { buildAll, REGISTRY } from './buildAll.ts';
import { claimPorts } from './config.ts';
import { issueCanaryToken, lockDataDir, publishBuilds } from './dataDir.ts';
import { type Service, type ServiceStart, startService } from './service.ts';

/** What a site other than the marketplace consists of; folders and scripts are relative to the repository. */
export interface SiteOptions {
  readonly dataDir: string;
  /** Folder of its shell. */
  readonly shell: string;
  /** Folders of its remotes. */
  readonly remotes: readonly string[];
  /** Listens on PORT, and answers `/health/ready`. */
  readonly upstream: { readonly script: string; readonly urlKey: string };
  /** Port of the shell; default: a free one. */
  readonly port?: number | undefined;
}

export interface RunningSite {
  /** Origins. */
  readonly shell: string;
  readonly registry: string;
  /** Stops the services and unlocks the data folder. */
  readonly stop: () => Promise<void>;
}

/**
 * Builds what changed, publishes the remotes, and starts a site's upstream, a registry and the site's shell.
 * @throws LocalError as `startStack`
 */
export async function startSite(site: SiteOptions): Promise<RunningSite> {
  const { dataDir, remotes } = site;
  const unlock = lockDataDir(dataDir);
  const running: Service<string>[] = [];
  const stop = async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
    unlock();
  };
  const start = async (
    service: Pick<ServiceStart<string>, 'name' | 'folder' | 'script' | 'port' | 'environment'>,
  ): Promise<string> => {
    const environment = { HOST: '127.0.0.1', LOCAL_MODE: 'true', DATA_DIR: dataDir, ...service.environment };
    const started = startService({ ...service, environment, logDir: join(dataDir, 'logs') });
    running.push(started);
    await started.ready();
    return `http://localhost:${service.port}`;
  };

  try {
    await buildAll({ packages: [site.shell, ...remotes, REGISTRY] });
    const openStorage = () => openLocalStorage(dataDir);
    await publishBuilds({ openStorage, dataDir, remotes });
    const storage = await openStorage();
    const token = await issueCanaryToken(storage);
    await storage.close?.();

    const ports = await claimPorts(site.port === undefined ? {} : { shell: site.port });
    const { shell: port, 'marketplace-api': upstreamPort, 'remote-registry': registryPort } = ports;
    const upstream = await start({
      name: 'upstream',
      folder: '.',
      script: site.upstream.script,
      port: upstreamPort,
      environment: { PORT: String(upstreamPort) },
    });
    const registry = await start({
      name: 'remote-registry',
      folder: REGISTRY,
      script: 'src/server.ts',
      port: registryPort,
      environment: { REGISTRY_PORT: String(registryPort), WATCHED_SHELLS: `http://127.0.0.1:${port}` },
    });
    const shell = await start({
      name: 'shell',
      folder: site.shell,
      script: 'dist/server/server.cjs',
      port,
      environment: {
        NODE_ENV: 'production',
        PORT: String(port),
        [site.upstream.urlKey]: upstream,
        REGISTRY_URL: registry,
        REGISTRY_TOKEN: token,
      },
    });
    return { shell, registry, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
