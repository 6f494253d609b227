import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  pointersSchema,
  releaseManifestSchema,
  type Pointers,
} from '@forecourt/shared-contracts/slots/release';
import { integrityOf, type RegistryClient } from './registryClient.ts';

/** Version by remote, and the canary beside it: what pages were composed of last. */
export type KeptRemotes = Pointers['remotes'];

export interface KeptRegistry extends RegistryClient {
  /** What was kept last; empty when nothing was, or when it cannot be read. */
  readonly lastGood: () => Promise<KeptRemotes>;
  /** Keeps this in the place of what was kept, and drops releases which it does not name. Never rejects. */
  readonly keep: (remotes: KeptRemotes) => Promise<void>;
}

const SNAPSHOT_FILE = 'snapshot.json';
const remotesSchema = pointersSchema.shape.remotes;

/**
 * The registry, with every release that the shell has used on its own disk:
 * after a restart it composes the same pages while the registry is away. A
 * disk that is full or read-only costs this safety, never a page; `log` says so.
 */
export function keepReleases(
  registry: RegistryClient,
  directory: string,
  log: (reason: string) => void,
): KeptRegistry {
  async function write(path: string, bytes: Buffer | string): Promise<void> {
    const draft = join(directory, `.${randomUUID()}`);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(draft, bytes);
      await rename(draft, path);
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  /** Undefined when it is not there or not what it should be: then the registry is asked. */
  async function read<T>(path: string, check: (bytes: Buffer) => T): Promise<T | undefined> {
    try {
      return check(await readFile(path));
    } catch {
      return undefined;
    }
  }

  const folderOf = (name: string, version: string) => join(directory, name, version);
  const parse =
    <T>(schema: { parse: (value: unknown) => T }) =>
    (bytes: Buffer): T =>
      schema.parse(JSON.parse(bytes.toString('utf8')));

  async function dropOthers(remotes: KeptRemotes): Promise<void> {
    for (const name of await readdir(directory)) {
      if (name === SNAPSHOT_FILE || name.startsWith('.')) continue;
      const pointer = Object.hasOwn(remotes, name) ? remotes[name] : undefined;
      for (const version of await readdir(join(directory, name)))
        if (version !== pointer?.live && version !== pointer?.canary?.version)
          await rm(folderOf(name, version), { recursive: true, force: true });
    }
  }

  return {
    pointers: registry.pointers,
    endCanary: registry.endCanary,
    async manifest(name, version) {
      const path = join(folderOf(name, version), 'release.json');
      const kept = await read(path, parse(releaseManifestSchema));
      if (kept?.name === name && kept.version === version) return kept;
      const manifest = await registry.manifest(name, version);
      await write(path, JSON.stringify(manifest));
      return manifest;
    },
    async file(manifest, path) {
      const location = join(folderOf(manifest.name, manifest.version), path);
      const kept = await read(location, (bytes) => {
        if (integrityOf(bytes) !== manifest.files[path]?.integrity) throw new Error('not what was published');
        return bytes;
      });
      if (kept) return kept;
      const bytes = await registry.file(manifest, path);
      await write(location, bytes);
      return bytes;
    },
    lastGood: async () => (await read(join(directory, SNAPSHOT_FILE), parse(remotesSchema))) ?? {},
    async keep(remotes) {
      await write(join(directory, SNAPSHOT_FILE), JSON.stringify(remotes));
      await dropOthers(remotes).catch((error: unknown) => log(String(error)));
    },
  };
}
