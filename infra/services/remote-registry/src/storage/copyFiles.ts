import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { MANIFEST_FILE, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import { verifyRelease } from '@forecourt/release-kit/verifyRelease';
import { requireEmpty } from '@forecourt/service-kit/copyToPostgres';
import type { Sql } from '@forecourt/service-kit/sql';
import type { RegistryStorage, StoredRelease } from '../ports.ts';
import { FileReleaseStore } from './fileReleaseStore.ts';
import { openFileStorage } from './openStorage.ts';
import { type DatabaseOptions, openTables, storageIn } from './sql/sqlStorage.ts';

const PAGE = 1000;

/** Whether a registry has stored pointers in files. */
export const hasFiles = (dataDir: string): boolean => existsSync(join(dataDir, 'registry/pointers.json'));

async function copyRelease(from: RegistryStorage, to: RegistryStorage, stored: StoredRelease): Promise<void> {
  const { manifest, brotli, signature, publisher } = stored;
  const read = async (path: string, encoding: 'identity' | 'br') => {
    const file = await from.releases.openFile(manifest, path, encoding);
    if (!file) throw new RegistryError('STORAGE_DAMAGED', `${releaseLabel(manifest)} lacks ${path}`);
    return buffer(file);
  };
  const readAll = async (paths: readonly string[], encoding: 'identity' | 'br') => {
    const files = new Map<string, Buffer>();
    for (const path of paths) files.set(path, await read(path, encoding));
    return files;
  };
  const release = verifyRelease(
    await read(MANIFEST_FILE, 'identity'),
    await readAll(Object.keys(manifest.files), 'identity'),
  );
  await to.releases.addRelease({
    ...release,
    brotli: await readAll(Object.keys(brotli), 'br'),
    signature,
    publisher,
  });
}

async function copyReleases(dataDir: string, from: RegistryStorage, sql: Sql): Promise<number> {
  const ids = await from.releases.listReleases();
  for (const id of ids) {
    const stored = await from.releases.findRelease(id);
    if (!stored) continue;
    await copyRelease(from, storageIn(sql), stored);
    // Published when it was, not now.
    const update = 'UPDATE release SET body = ? WHERE name = ? AND version = ?';
    await sql.run(update, JSON.stringify(stored), id.name, id.version);
  }
  const files = await FileReleaseStore.open(join(dataDir, 'registry'));
  for (const { name, version } of await files.listRemoved())
    await sql.run('INSERT INTO release (name, version, body) VALUES (?, ?, NULL)', name, version);
  return ids.length;
}

async function copyRecords(from: RegistryStorage, sql: Sql): Promise<void> {
  const to = storageIn(sql);
  const pointers = await from.pointers.readPointers();
  if (pointers.revision > 0) await to.pointers.writePointers(pointers, 0);
  for (const change of await from.pointers.readChanges({ limit: Infinity }))
    await sql.run(
      'INSERT INTO change (revision, body) VALUES (?, ?) ON CONFLICT DO NOTHING',
      change.revision,
      JSON.stringify(change),
    );
  const access = await from.access.readAccess();
  if (access.revision > 0) await to.access.writeAccess(access, 0);
  for (let sequence = 0; ;) {
    const entries = await from.log.readEntries(sequence, PAGE);
    for (const entry of entries) await to.log.appendEntry((sequence += 1), entry);
    if (entries.length < PAGE) return;
  }
}

/**
 * Copies what a stopped registry stores in files to migrated tables, in one transaction, and returns the number of releases.
 * @throws Error if the tables have rows already
 * @throws RegistryError RELEASE_INVALID, STORAGE_DAMAGED
 */
export async function copyFiles(dataDir: string, options: DatabaseOptions): Promise<number> {
  const sql = await openTables(options);
  try {
    const from = await openFileStorage(dataDir);
    return await sql.transaction(async () => {
      for (const table of ['record', 'release', 'log_entry']) await requireEmpty(sql, table);
      await copyRecords(from, sql);
      return copyReleases(dataDir, from, sql);
    });
  } finally {
    await sql.close();
  }
}
