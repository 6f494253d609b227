import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { databasePath, readConfig } from '../config.ts';
import { createZipDirectory } from '../places/places.ts';
import type { Db } from '@forecourt/durable/database';
import { createListingStore, openDatabase } from '../store/listingStore.ts';
import { EMPTY_CATALOG } from '../domain/catalog.ts';
import { createInventoryWriter } from '../store/inventoryWriter.ts';
import { importFeed, type ImportSummary, type InventoryWriter, NothingToImport } from './importFeed.ts';
import { type FeedMapping, mappingSchema } from './mapping.ts';
import { BrokenFeed } from './readRows.ts';
import { createProgressBar, createRejectFile } from './reporting.ts';

interface Stored {
  readonly body: string;
  readonly source: string;
  readonly removed: number;
}

/**
 * Counts what an import would insert, update and expire, and writes nothing to the inventory. It remembers what it would
 * have written in a temporary table, because a feed may name a listing twice.
 */
export function createDryRunWriter(db: Db): InventoryWriter {
  db.exec(
    'CREATE TEMP TABLE IF NOT EXISTS dry_run (id TEXT PRIMARY KEY, body TEXT, source TEXT) WITHOUT ROWID',
  );
  const readWritten = db.prepare<[string], Stored>(
    'SELECT body, source, 0 AS removed FROM dry_run WHERE id = ?',
  );
  const readStored = db.prepare<[string], Stored>(
    'SELECT body, source, removed_at IS NOT NULL AS removed FROM listings WHERE id = ?',
  );
  const remember = db.prepare('INSERT OR REPLACE INTO dry_run (id, body, source) VALUES (?, ?, ?)');
  const liveIds = db
    .prepare<[string], string>('SELECT id FROM listings WHERE source = ? AND removed_at IS NULL')
    .pluck();
  return {
    upsertOwners() {},
    allowPhotoHosts() {},
    upsertListings(listings, source) {
      let inserted = 0;
      let updated = 0;
      for (const listing of listings) {
        const body = JSON.stringify(listing);
        const known = readWritten.get(listing.id) ?? readStored.get(listing.id);
        if (!known) inserted++;
        else if (known.body !== body || known.source !== source || known.removed === 1) updated++;
        remember.run(listing.id, body, source);
      }
      return { inserted, updated };
    },
    expireMissing(source, hasSeen) {
      let expired = 0;
      for (const id of liveIds.iterate(source)) if (!hasSeen(id)) expired++;
      return expired;
    },
  };
}

const USAGE = `npm run inventory:import -- FEED --map MAP.json [options]

  FEED                 a CSV or JSON Lines file
  --map MAP.json       maps columns to fields
  --dry-run            report what would change, write nothing to the inventory
  --expire-missing     expire listings that this source no longer contains
  --rejects FILE       file for rejected rows (.csv or .jsonl)
  --help`;

/** The command line is invalid. */
class UsageError extends Error {
  readonly code = 'USAGE';
}

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      map: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'expire-missing': { type: 'boolean', default: false },
      rejects: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const [feed, ...others] = positionals;
  if (!feed || others.length > 0 || !values.map) throw new UsageError(USAGE);

  // npm changes to the workspace folder; paths are relative to where the user ran it.
  const from = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
  const path = from(feed);
  if (!existsSync(path)) throw new UsageError(`File not found: ${path}`);
  const mapping = readMapping(from(values.map));
  const config = readConfig(process.env);
  const isJson = mapping.format === 'jsonl' || /\.(jsonl|ndjson)$/i.test(path);
  const rejectsPath = values.rejects
    ? from(values.rejects)
    : join(config.DATA_DIR, `${basename(path)}.rejected.${isJson ? 'jsonl' : 'csv'}`);
  mkdirSync(dirname(rejectsPath), { recursive: true });

  const rejects = createRejectFile(rejectsPath);
  const bar = createProgressBar(process.stderr);
  const catalog = config.DEMO_DATA
    ? (await import('@forecourt/demo-data')).createDemoContent().catalog
    : EMPTY_CATALOG;
  const isDryRun = values['dry-run'];
  const database = databasePath(config);
  const db = openDatabase(isDryRun && !existsSync(database) ? ':memory:' : database);
  const store = createListingStore(db);
  const started = performance.now();
  try {
    const summary = await importFeed({
      path,
      mapping,
      zips: createZipDirectory(),
      catalog,
      today: new Date(),
      writer: isDryRun ? createDryRunWriter(db) : createInventoryWriter(db),
      known: { find: (id) => store.listings([id])[0] },
      expireMissing: values['expire-missing'],
      onReject: (reject) => rejects.add(reject),
      onProgress: (progress) => bar.show(progress),
    });
    bar.finish();
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(`${report(summary, seconds, isDryRun)}\n`);
    if (summary.rejected > 0) process.stdout.write(`Rejected rows: ${rejectsPath}\n`);
  } finally {
    rejects.close();
    db.close();
  }
}

function readMapping(path: string): FeedMapping {
  if (!existsSync(path)) throw new UsageError(`File not found: ${path}`);
  const read = mappingSchema.safeParse(parseJson(path));
  if (!read.success) throw new UsageError(`${path} is not a valid mapping:\n${z.prettifyError(read.error)}`);
  return read.data;
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function report(summary: ImportSummary, seconds: number, isDryRun: boolean): string {
  const { recognizedBy, missingColumns } = summary;
  const count = (value: number): string => value.toLocaleString('en-US');
  return [
    `${count(summary.read)} rows read in ${seconds.toFixed(1)} s: ${count(summary.accepted)} accepted, ${count(summary.rejected)} rejected.`,
    `${isDryRun ? 'Would be: ' : ''}${count(summary.inserted)} inserted, ${count(summary.updated)} updated, ${count(summary.expired)} expired; ${count(summary.sellers)} sellers.`,
    `Recognized by VIN ${count(recognizedBy.vin)}, by stock number ${count(recognizedBy.stockNumber)}, by description ${count(recognizedBy.description)}.`,
    `${count(summary.unknownModels)} listings of models outside the catalog, imported under their own names.`,
    ...(summary.approximatePlaces > 0
      ? [
          `${count(summary.approximatePlaces)} listings of unknown cities, placed in their state's largest market.`,
        ]
      : []),
    ...(summary.photos > 0
      ? [`${count(summary.photos)} photos named; the marketplace API fetches new ones in the background.`]
      : []),
    ...(missingColumns.length > 0 ? [`Columns the feed does not have: ${missingColumns.join(', ')}.`] : []),
    ...(isDryRun ? ['Dry run: nothing was written.'] : []),
  ].join('\n');
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isExpected =
    error instanceof UsageError ||
    error instanceof NothingToImport ||
    error instanceof BrokenFeed ||
    (error instanceof TypeError && 'code' in error);
  process.stderr.write(
    `${isExpected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = 1;
}
