import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  pointersSchema,
  releaseManifestSchema,
  type Pointers,
} from '@forecourt/shared-contracts/slots/release';
import { integrityOf, type RegistryClient } from './registryClient.ts';
import { messageOf } from '../../both/messageOf.ts';

/** The pointers of the releases that were live last. */
type StoredRemotes = Pointers['remotes'];

export interface ReleaseStore extends RegistryClient {
  /** What was saved last; empty if there is nothing or it cannot be read. */
  readonly lastGood: () => Promise<StoredRemotes>;
  /**
   * Saves the pointers and removes releases that they do not name. A release that is incomplete on disk does not
   * replace a complete one. Never rejects.
   */
  readonly save: (remotes: StoredRemotes) => Promise<void>;
}

const SNAPSHOT_FILE = 'snapshot.json';
const remotesSchema = pointersSchema.shape.remotes;

/** Reads JSON of the schema's shape; throws if it has another. */
const parse =
  <T>(schema: { parse: (value: unknown) => T }) =>
  (bytes: Buffer): T =>
    schema.parse(JSON.parse(bytes.toString('utf8')));

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Atomic writes below `directory`, and reads that treat invalid files as missing. */
function createFileAccess(directory: string, log: (reason: string) => void) {
  /** False if the file could not be written. */
  async function write(path: string, bytes: Buffer | string): Promise<boolean> {
    const draft = join(directory, `.${randomUUID()}`);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(draft, bytes);
      await rename(draft, path);
      return true;
    } catch (error) {
      log(messageOf(error));
      await rm(draft, { force: true }).catch(() => {});
      return false;
    }
  }

  /** Undefined if the file is missing or invalid. */
  async function read<T>(path: string, check: (bytes: Buffer) => T): Promise<T | undefined> {
    try {
      return check(await readFile(path));
    } catch {
      return undefined;
    }
  }
  return { write, read };
}

/** Removes the releases below `directory` that no pointer names. */
async function dropOthers(directory: string, remotes: StoredRemotes): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name === SNAPSHOT_FILE || name.startsWith('.')) continue;
    const pointer = Object.hasOwn(remotes, name) ? remotes[name] : undefined;
    for (const version of await readdir(join(directory, name)))
      if (version !== pointer?.live && version !== pointer?.canary?.version)
        await rm(join(directory, name, version), { recursive: true, force: true });
  }
}

/**
 * The registry with a copy of every used release on disk, so that the shell can
 * restart while the registry is unreachable. Without a writable disk pages still
 * work; `log` gets the reason. `manifestFile` names the copy of a remote's manifests.
 */
export function storeReleases(
  registry: RegistryClient,
  directory: string,
  log: (reason: string) => void,
  manifestFile: (name: string) => string = () => 'release.json',
): ReleaseStore {
  const { write, read } = createFileAccess(directory, log);
  const folderOf = (name: string, version: string) => join(directory, name, version);
  const readManifest = (name: string, version: string) =>
    read(join(folderOf(name, version), manifestFile(name)), parse(releaseManifestSchema));

  /** Whether every file exists; integrity is checked on reading. */
  async function isWhole(name: string, version: string): Promise<boolean> {
    const paths = Object.keys((await readManifest(name, version))?.files ?? {});
    const found = await Promise.all(paths.map((path) => isThere(join(folderOf(name, version), path))));
    return found.length > 0 && found.every(Boolean);
  }

  const lastGood = async (): Promise<StoredRemotes> =>
    (await read(join(directory, SNAPSHOT_FILE), parse(remotesSchema))) ?? {};

  /** The pointers, with the previous release wherever the new one is incomplete on disk. */
  async function restorable(remotes: StoredRemotes): Promise<StoredRemotes> {
    const before = await lastGood();
    const entries = Object.entries(remotes).map(async ([name, pointer]) => {
      const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
      return [name, !earlier || (await isWhole(name, pointer.live)) ? pointer : earlier] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  return {
    pointers: registry.pointers,
    endCanary: registry.endCanary,
    async manifest(name, version) {
      const path = join(folderOf(name, version), manifestFile(name));
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
      // Releases that the old file names are needed until it is replaced.
      if (await write(join(directory, SNAPSHOT_FILE), JSON.stringify(kept)))
        await dropOthers(directory, kept).catch((error: unknown) => log(String(error)));
    },
  };
}
