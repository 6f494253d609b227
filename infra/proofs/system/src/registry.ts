import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promote, publish, readManifest, variantOf } from '@forecourt/harness/releases';
import { freePort, remoteNames, REPOSITORY, type Service, startService } from '@forecourt/local';

/** Folder of a remote's build. */
export const distOf = (remote: string): string => join(REPOSITORY, remote, 'dist');

export interface OwnRegistry {
  readonly url: string;
  readonly service: Service;
  /** Folder of the stored releases and pointers. */
  readonly folder: string;
}

/** Starts a registry in addition to that of a stack, in its own folder, with every remote's build live. */
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

export interface PointerChange {
  readonly revision: number;
  readonly remote: string;
  readonly verb: string;
  readonly by: string;
  readonly before: { readonly live: string } | null;
  readonly after: { readonly live: string };
}

/** Posts to the registry; resolves with refusals, too. */
export async function post(
  registryUrl: string,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const response = await fetch(registryUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

/** @throws Error with the registry's response */
export async function rollBack(registryUrl: string, remote: string): Promise<void> {
  const { status, json } = await post(registryUrl, `/api/remotes/${remote}/rollback`, {});
  if (status !== 200) throw new Error(`rollback of ${remote}: ${status} ${JSON.stringify(json)}`);
}

export async function readHistory(
  registryUrl: string,
  remote: string,
  limit: number,
): Promise<PointerChange[]> {
  const response = await fetch(`${registryUrl}/api/remotes/${remote}/history?limit=${limit}`);
  return ((await response.json()) as { changes: PointerChange[] }).changes;
}

interface Pointers {
  readonly revision: number;
  readonly remotes: Readonly<Record<string, { readonly live: string } | undefined>>;
}

export async function readPointers(registryUrl: string): Promise<Pointers> {
  return (await (await fetch(`${registryUrl}/api/pointers`)).json()) as Pointers;
}

/** Publishes a build under another version, optionally with replaced words. */
export async function publishVariant(
  registryUrl: string,
  directory: string,
  version: string,
  words?: readonly [from: string, to: string],
): Promise<void> {
  const variant = variantOf(directory, { version, ...(words ? { words } : {}) });
  await publish(registryUrl, variant.directory).finally(variant.remove);
}
