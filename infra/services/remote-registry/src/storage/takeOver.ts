import { RegistryError } from '@forecourt/release-kit/registryError';
import { pointerChangeSchema } from '@forecourt/release-kit/registryResponses';
import { MANIFEST_FILE, type ReleaseId, releaseIdSchema } from '@forecourt/release-kit/releaseFiles';
import { signedManifestSchema } from '@forecourt/release-kit/signatures';
import type { Bucket } from '@forecourt/service-kit/bucket';
import type { Sql } from '@forecourt/service-kit/sql';
import { releaseManifestSchema } from '@forecourt/releases/manifest';
import { z } from 'zod';
import { accessRecordSchema, pointerRecordSchema, publisherSchema } from '../ports.ts';
import type { ReleaseRow } from './bucketReleaseStore.ts';
import { SqlAccessStore, SqlPointerStore } from './sqlRecords.ts';

// Earlier versions stored everything as files or objects: pointers.json, access.json, history/, log/ and, beside the files of
// releases, a marker that made each of them visible. The files stay where they are; everything else becomes rows.

const POINTERS = 'pointers.json';
const ACCESS = 'access.json';
/** Where the two are kept after they were taken over. */
const ASIDE = 'taken-over/';

/** Name of the record that says that nothing is left to take over. */
const DONE = 'taken-over';

const brotliSchema = z.record(z.string(), z.number().int().nonnegative());
const describedSchema = {
  publishedAt: z.iso.datetime(),
  brotli: brotliSchema,
  signature: signedManifestSchema.optional(),
  publisher: publisherSchema.optional(),
};
/** `releases/{name}/{version}/.complete`, beside `release.json` and the files. */
const folderMarkerSchema = z.object(describedSchema);
/** `releases/{name}/{version}.json`; it names the folder of the files. */
const objectMarkerSchema = z.union([
  z.object({ ...describedSchema, files: z.string(), manifest: releaseManifestSchema }),
  z.object({ removedAt: z.iso.datetime() }),
]);

function damaged(bucket: Bucket, key: string): RegistryError {
  // Without a cause: its message could quote the object.
  return new RegistryError(
    'STORAGE_DAMAGED',
    `${bucket.urlOf(key)} cannot be read; restore it from a backup`,
  );
}

/** @throws RegistryError STORAGE_DAMAGED if it is missing or does not fit the schema */
async function readJson<T>(bucket: Bucket, key: string, schema: z.ZodType<T>): Promise<T> {
  try {
    return schema.parse(JSON.parse((await bucket.readText(key)) ?? ''));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw damaged(bucket, key);
    throw error;
  }
}

const has = async (bucket: Bucket, key: string): Promise<boolean> =>
  (await bucket.readText(key)) !== undefined;

async function numberedKeys(bucket: Bucket, folder: string): Promise<{ key: string; number: number }[]> {
  const keys: { key: string; number: number }[] = [];
  for await (const { key } of bucket.list(folder)) {
    const [, digits] = /^(\d{10,})\.json$/.exec(key.slice(folder.length)) ?? [];
    if (digits !== undefined) keys.push({ key, number: Number.parseInt(digits, 10) });
  }
  return keys;
}

/** A release that was published before, or, without a row, published and removed. */
interface EarlierRelease extends ReleaseId {
  readonly row: ReleaseRow | undefined;
}

async function readRelease(bucket: Bucket, key: string): Promise<EarlierRelease | undefined> {
  const [, name, version, file] =
    /^releases\/([^/]+)\/([^/]+?)(?:\/(\.complete|\.removed)|\.json)$/.exec(key) ?? [];
  const parsed = releaseIdSchema.safeParse({ name, version });
  if (!parsed.success) return undefined;
  const id = parsed.data;
  if (file === '.removed') return { ...id, row: undefined };
  if (file === '.complete') {
    const files = `releases/${id.name}/${id.version}/`;
    const marker = await readJson(bucket, key, folderMarkerSchema);
    const manifest = await readJson(bucket, files + MANIFEST_FILE, releaseManifestSchema);
    // A renamed folder or a case-insensitive file system can lead to another release.
    if (manifest.name !== id.name || manifest.version !== id.version) return undefined;
    return { ...id, row: { ...marker, manifest, files } };
  }
  const marker = await readJson(bucket, key, objectMarkerSchema);
  if (!('files' in marker)) return { ...id, row: undefined };
  if (marker.manifest.name !== id.name || marker.manifest.version !== id.version) throw damaged(bucket, key);
  return { ...id, row: marker };
}

/** Everything but the pointers, in memory: a transaction may run several times and uses the database only. */
async function readEarlier(bucket: Bucket) {
  const changes = [];
  for (const { key } of await numberedKeys(bucket, 'history/'))
    changes.push(await readJson(bucket, key, pointerChangeSchema));
  const entries: { sequence: number; text: string }[] = [];
  for (const { key, number: sequence } of await numberedKeys(bucket, 'log/'))
    entries.push({ sequence, text: (await bucket.readText(key)) ?? '' });
  const releases: EarlierRelease[] = [];
  for await (const { key } of bucket.list('releases/')) {
    const release = await readRelease(bucket, key);
    if (release) releases.push(release);
  }
  const access = (await has(bucket, ACCESS)) ? await readJson(bucket, ACCESS, accessRecordSchema) : undefined;
  return { changes, entries, releases, access };
}

/** Whether nothing is left to take over, except lost pointers. */
export const isTakenOver = async (sql: Sql): Promise<boolean> =>
  (await sql.get('SELECT 1 FROM record WHERE name = ?', DONE)) !== undefined;

/** Marks the tables as complete: whatever lies in the bucket is not taken over. */
export const skipTakeOver = async (sql: Sql): Promise<void> => {
  await sql.run(`INSERT INTO record (name, revision, body) VALUES (?, 1, '{}') ON CONFLICT DO NOTHING`, DONE);
};

async function takeRows(sql: Sql, bucket: Bucket): Promise<void> {
  const { changes, entries, releases, access } = await readEarlier(bucket);
  await sql.transaction(async () => {
    if (await isTakenOver(sql)) return;
    for (const change of changes)
      await sql.run(
        'INSERT INTO change (revision, body) VALUES (?, ?) ON CONFLICT DO NOTHING',
        change.revision,
        JSON.stringify(change),
      );
    for (const { sequence, text } of entries)
      await sql.run(
        'INSERT INTO log_entry (sequence, body) VALUES (?, ?) ON CONFLICT DO NOTHING',
        sequence,
        text,
      );
    for (const { name, version, row } of releases)
      await sql.run(
        'INSERT INTO release (name, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        name,
        version,
        row ? JSON.stringify(row) : null,
      );
    if (access && access.revision > 0) await new SqlAccessStore(sql).writeAccess(access, 0);
    await skipTakeOver(sql);
  });
}

/** Later starts must not read it as new. */
async function moveAside(bucket: Bucket, key: string): Promise<void> {
  const text = await bucket.readText(key);
  if (text === undefined) return;
  await bucket.put(ASIDE + key, text, 'application/json');
  await bucket.remove(key);
}

/**
 * Takes over what an earlier version stored in the bucket's folder: once, in one transaction, so that a killed process
 * leaves nothing half done. Pointers are taken whenever the database has none, so that an operator whose pointers are lost
 * can provide them as `pointers.json`.
 * @throws RegistryError STORAGE_DAMAGED
 */
export async function takeOver(sql: Sql, bucket: Bucket): Promise<void> {
  if (!(await isTakenOver(sql))) await takeRows(sql, bucket);
  await moveAside(bucket, ACCESS);
  const pointers = new SqlPointerStore(sql);
  if ((await pointers.readPointers()).revision === 0 && (await has(bucket, POINTERS))) {
    const record = await readJson(bucket, POINTERS, pointerRecordSchema);
    if (record.revision > 0) await pointers.writePointers(record, 0);
  }
  await moveAside(bucket, POINTERS);
}
