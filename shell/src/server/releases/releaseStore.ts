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

/** Pointers of the last live releases. */
type StoredRemotes = Pointers['remotes'];

export interface ReleaseStore extends RegistryClient {
  /** The pointers saved last; empty if there are none or they cannot be read. */
  readonly lastGood: () => Promise<StoredRemotes>;
  /**
   * Saves the pointers and removes releases that they do not name. A release that is
   * incomplete on disk does not replace a complete one. Never rejects.
   */
  readonly save: (remotes: StoredRemotes) => Promise<void>;
}

const SNAPSHOT_FILE = 'snapshot.json';
const remotesSchema = pointersSchema.shape.remotes;

/** Parses JSON by a schema; throws if it does not match. */
const parse =
  <T>(schema: { parse: (value: unknown) => T }) =>
  (bytes: Buffer): T =>
    schema.parse(JSON.parse(bytes.toString('utf8')));

const exists = (path: string) =>
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
async function removeOthers(directory: string, remotes: StoredRemotes): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name === SNAPSHOT_FILE || name.startsWith('.')) continue;
    const pointer = Object.hasOwn(remotes, name) ? remotes[name] : undefined;
    for (const version of await readdir(join(directory, name)))
      if (version !== pointer?.live && version !== pointer?.canary?.version)
        await rm(join(directory, name, version), { recursive: true, force: true });
  }
}

/**
 * A registry client with a copy of every used release on disk, so that the shell can
 * restart while the registry is unreachable. Works without a writable disk; `log`
 * gets the reason. `manifestFile` names the copy of a remote's manifests.
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
  async function isComplete(name: string, version: string): Promise<boolean> {
    const paths = Object.keys((await readManifest(name, version))?.files ?? {});
    const found = await Promise.all(paths.map((path) => exists(join(folderOf(name, version), path))));
    return found.length > 0 && found.every(Boolean);
  }

  const lastGood = async (): Promise<StoredRemotes> =>
    (await read(join(directory, SNAPSHOT_FILE), parse(remotesSchema))) ?? {};

  /** The pointers, with the previous release wherever the new one is incomplete on disk. */
  async function restorable(remotes: StoredRemotes): Promise<StoredRemotes> {
    const before = await lastGood();
    const entries = Object.entries(remotes).map(async ([name, pointer]) => {
      const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
      return [name, !earlier || (await isComplete(name, pointer.live)) ? pointer : earlier] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  return {
    pointers: registry.pointers,
    endCanary: registry.endCanary,
    async manifest(name, version) {
      const path = join(folderOf(name, version), manifestFile(name));
      const stored = await readManifest(name, version);
      if (stored?.name === name && stored.version === version) return stored;
      const manifest = await registry.manifest(name, version);
      await write(path, JSON.stringify(manifest));
      return manifest;
    },
    async file(manifest, path) {
      const location = join(folderOf(manifest.name, manifest.version), path);
      const stored = await read(location, (bytes) => {
        if (integrityOf(bytes) !== manifest.files[path]?.integrity) throw new Error('integrity mismatch');
        return bytes;
      });
      if (stored) return stored;
      const bytes = await registry.file(manifest, path);
      await write(location, bytes);
      return bytes;
    },
    lastGood,
    async save(remotes) {
      const pointers = await restorable(remotes);
      // Only after the old file, which names other releases, is replaced.
      if (await write(join(directory, SNAPSHOT_FILE), JSON.stringify(pointers)))
        await removeOthers(directory, pointers).catch((error: unknown) => log(String(error)));
    },
  };
}
