import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  pointersSchema,
  releaseManifestSchema,
  type Pointers,
} from '@forecourt/shared-contracts/slots/release';
import { integrityOf, type RegistryClient } from './registryClient.ts';

/** Version by remote, and the canary beside it: what pages were composed of last. */
export type StoredRemotes = Pointers['remotes'];

export interface ReleaseStore extends RegistryClient {
  /** What was kept last; empty when nothing was, or when it cannot be read. */
  readonly lastGood: () => Promise<StoredRemotes>;
  /**
   * Keeps this in the place of what was kept, and drops releases which it does not name. A release that the disk has
   * not whole does not take the place of one that it has. Never rejects.
   */
  readonly save: (remotes: StoredRemotes) => Promise<void>;
}

const SNAPSHOT_FILE = 'snapshot.json';
const remotesSchema = pointersSchema.shape.remotes;

/**
 * The registry, with every release that the shell has used on its own disk:
 * after a restart it composes the same pages while the registry is away. A
 * disk that is full or read-only costs this safety, never a page; `log` says so.
 */
export function storeReleases(
  registry: RegistryClient,
  directory: string,
  log: (reason: string) => void,
): ReleaseStore {
  /** False when the disk did not take it. */
  async function write(path: string, bytes: Buffer | string): Promise<boolean> {
    const draft = join(directory, `.${randomUUID()}`);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(draft, bytes);
      await rename(draft, path);
      return true;
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      await rm(draft, { force: true }).catch(() => {});
      return false;
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

  const readManifest = (name: string, version: string) =>
    read(join(folderOf(name, version), 'release.json'), parse(releaseManifestSchema));

  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  /** Every file is there; what is in them is looked at when they are read. */
  async function isWhole(name: string, version: string): Promise<boolean> {
    const paths = Object.keys((await readManifest(name, version))?.files ?? {});
    const found = await Promise.all(paths.map((path) => isThere(join(folderOf(name, version), path))));
    return found.length > 0 && found.every(Boolean);
  }

  const lastGood = async (): Promise<StoredRemotes> =>
    (await read(join(directory, SNAPSHOT_FILE), parse(remotesSchema))) ?? {};

  /** What a restart can do with: in the place of a release that could not be kept, the one before. */
  async function restorable(remotes: StoredRemotes): Promise<StoredRemotes> {
    const before = await lastGood();
    const entries = Object.entries(remotes).map(async ([name, pointer]) => {
      const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
      return [name, !earlier || (await isWhole(name, pointer.live)) ? pointer : earlier] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  async function dropOthers(remotes: StoredRemotes): Promise<void> {
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
      const kept = await readManifest(name, version);
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
    lastGood,
    async save(remotes) {
      const kept = await restorable(remotes);
      // What the file still names must stay as long as the file does.
      if (await write(join(directory, SNAPSHOT_FILE), JSON.stringify(kept)))
        await dropOthers(kept).catch((error: unknown) => log(String(error)));
    },
  };
}
