import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  releaseManifestSchema,
  remoteNameSchema,
  versionSchema,
  type ReleaseManifest,
} from '@forecourt/releases/manifest';
import { pointersSchema, type Pointers } from '@forecourt/releases/pointers';
import { z } from 'zod';
import { integrityOf } from '../rendering/release.ts';
import type { RegistryClient } from './registryClient.ts';
import { messageOf } from '../universal/messageOf.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER, tightenFolder } from '@forecourt/service-kit/privateFiles';

export interface ReleaseStore extends RegistryClient {
  /** The pointers saved last; revision 0 if there are none or they cannot be read. Removes drafts of a killed process. */
  readonly lastGood: () => Promise<Pointers>;
  /**
   * Completes and verifies the live releases on disk, saves the pointers, then removes
   * releases that neither they nor the pointers before name. A release that cannot be
   * completed does not replace a stored one. Never rejects.
   */
  readonly save: (pointers: Pointers) => Promise<void>;
}

const SNAPSHOT_FILE = 'snapshot.json';
const DRAFT_FILE = /^\.[0-9a-f-]{36}$/;

/** The live releases, and the one before each, which a rollback needs. */
const snapshotSchema = pointersSchema.extend({ previous: z.record(remoteNameSchema, versionSchema) }).or(
  // The remotes alone, as older shells wrote them.
  pointersSchema.shape.remotes.transform((remotes) => ({ revision: 0, remotes, previous: {} })),
);
type StoredSnapshot = z.infer<typeof snapshotSchema>;

/** Own properties only: a remote may be called 'constructor'. */
const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Parses JSON by a schema; throws if it does not match. */
const parse =
  <T>(schema: { parse: (value: unknown) => T }) =>
  (bytes: Buffer): T =>
    schema.parse(JSON.parse(bytes.toString('utf8')));

/** Atomic writes below `directory`, and reads that treat invalid files as missing. */
function createFileAccess(directory: string, log: (reason: string) => void) {
  /** False if the file could not be written. */
  async function write(path: string, bytes: Buffer | string): Promise<boolean> {
    const draft = join(directory, `.${randomUUID()}`);
    try {
      await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      // On disk before it gets its name, also after a power failure.
      await writeFile(draft, bytes, { mode: PRIVATE_FILE, flush: true });
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

/** Removes the releases below `directory` that the snapshot does not name. */
async function removeOthers(directory: string, { remotes, previous }: StoredSnapshot): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name === SNAPSHOT_FILE || name.startsWith('.')) continue;
    const pointer = own(remotes, name);
    const named = [pointer?.live, pointer?.canary?.version, own(previous, name)];
    for (const version of await readdir(join(directory, name)))
      if (!named.includes(version))
        await rm(join(directory, name, version), { recursive: true, force: true });
  }
}

async function removeDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => []))
    if (DRAFT_FILE.test(name)) await rm(join(directory, name), { force: true }).catch(() => {});
}

/** The live version that each pointer replaces, or replaced last. */
function previousVersions(before: StoredSnapshot, remotes: Pointers['remotes']): StoredSnapshot['previous'] {
  const replaced = Object.entries(before.remotes).filter(
    ([name, { live }]) => own(remotes, name)?.live !== live,
  );
  return { ...before.previous, ...Object.fromEntries(replaced.map(([name, { live }]) => [name, live])) };
}

/** Files of releases, from disk or else from the registry; what is fetched is stored. */
function createStoredFiles(
  registry: RegistryClient,
  { directory, manifestFile, log }: StoreOptions,
  { write, read }: ReturnType<typeof createFileAccess>,
) {
  const folderOf = (name: string, version: string) => join(directory, name, version);
  const readManifest = (name: string, version: string) =>
    read(join(folderOf(name, version), manifestFile(name)), parse(releaseManifestSchema));

  async function manifest(name: string, version: string): Promise<ReleaseManifest> {
    const stored = await readManifest(name, version);
    if (stored?.name === name && stored.version === version) return stored;
    const fetched = await registry.manifest(name, version);
    await write(join(folderOf(name, version), manifestFile(name)), JSON.stringify(fetched));
    return fetched;
  }

  const readFileOf = ({ name, version, files }: ReleaseManifest, path: string) =>
    read(join(folderOf(name, version), path), (bytes) => {
      if (integrityOf(bytes) !== files[path]?.integrity) throw new Error('integrity mismatch');
      return bytes;
    });

  async function file(release: ReleaseManifest, path: string): Promise<Buffer> {
    const stored = await readFileOf(release, path);
    if (stored) return stored;
    const bytes = await registry.file(release, path);
    await write(join(folderOf(release.name, release.version), path), bytes);
    return bytes;
  }

  /** Whether manifest and every file are on disk and match. */
  async function isComplete(name: string, version: string): Promise<boolean> {
    const stored = await readManifest(name, version);
    if (!stored) return false;
    for (const path of Object.keys(stored.files)) if (!(await readFileOf(stored, path))) return false;
    return true;
  }

  /** Fetches what is missing on disk, e.g. of a release that was adopted from memory. */
  async function complete(name: string, version: string): Promise<boolean> {
    if (await isComplete(name, version)) return true;
    try {
      const release = await manifest(name, version);
      for (const path of Object.keys(release.files)) await file(release, path);
    } catch (error) {
      log(`${name}@${version}: ${messageOf(error)}`);
    }
    return isComplete(name, version);
  }
  return { manifest, file, complete };
}

interface StoreOptions {
  readonly directory: string;
  readonly manifestFile: (name: string) => string;
  readonly log: (reason: string) => void;
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
  tightenFolder(directory);
  const access = createFileAccess(directory, log);
  const { write, read } = access;
  const { manifest, file, complete } = createStoredFiles(registry, { directory, manifestFile, log }, access);

  const readSnapshot = async (): Promise<StoredSnapshot> =>
    (await read(join(directory, SNAPSHOT_FILE), parse(snapshotSchema))) ?? {
      revision: 0,
      remotes: {},
      previous: {},
    };

  async function saveNow({ revision, remotes: next }: Pointers): Promise<void> {
    const before = await readSnapshot();
    const entries = Object.entries(next).map(async ([name, pointer]) => {
      const isStored = await complete(name, pointer.live);
      return [name, isStored ? pointer : (own(before.remotes, name) ?? pointer)] as const;
    });
    const remotes = Object.fromEntries(await Promise.all(entries));
    const snapshot = { revision, remotes, previous: previousVersions(before, remotes) };
    // Only after the old file, which names other releases, is replaced.
    if (await write(join(directory, SNAPSHOT_FILE), JSON.stringify(snapshot)))
      await removeOthers(directory, snapshot).catch((error: unknown) => log(String(error)));
  }

  let saving = Promise.resolve();
  return {
    pointers: registry.pointers,
    endCanary: registry.endCanary,
    rollBack: registry.rollBack,
    manifest,
    file,
    async lastGood() {
      await removeDrafts(directory);
      const { revision, remotes } = await readSnapshot();
      return { revision, remotes };
    },
    save(pointers) {
      saving = saving.then(() => saveNow(pointers)).catch((error: unknown) => log(messageOf(error)));
      return saving;
    },
  };
}
