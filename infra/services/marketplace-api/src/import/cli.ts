import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { databasePath, readConfig } from '../config.ts';
import { createZipDirectory } from '../places/places.ts';
import { createListingStore, openDatabase } from '../store/listingStore.ts';
import { EMPTY_CATALOG } from '../domain/catalog.ts';
import { createInventoryWriter, createFeedRows } from '../store/inventoryWriter.ts';
import { createImportLog } from '../store/importLog.ts';
import { createDryRunWriter } from './dryRunWriter.ts';
import { CONVERSION } from './rowImport.ts';
import { importFeed, type ImportSummary, MAX_SHRINK, NothingToImport } from './importFeed.ts';
import { suggestMapping } from './suggestMapping.ts';
import { type FeedMapping, mappingSchema, BrokenFeed } from './mapping.ts';
import { formatOf } from './readRows.ts';
import { createProgressBar, createRejectFile } from './reporting.ts';

const USAGE = `npm run inventory:import -- FEED --map MAP.json [options]
npm run inventory:import -- --suggest FEED     proposes a mapping for a feed
npm run inventory:import -- --undo SOURCE      restores the stock as it was before the source's last import

  FEED                 a file: CSV with any delimiter, JSON, JSON Lines or XML
  --map MAP.json       maps columns to fields
  --dry-run            report what would change, write nothing to the inventory
  --expire-missing     expire listings that this source no longer contains
  --approve-shrink     expire them although they are more than ${MAX_SHRINK * 100} % of the source's listings
  --full               convert unchanged rows too
  --rejects FILE       file for rejected rows (.csv or .jsonl)
  --help`;

/** The command line is invalid. */
class UsageError extends Error {
  readonly code = 'USAGE';
}

/** Exit status of an import whose expiry waits for an approval. */
const HELD = 3;

const OPTIONS = {
  map: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  'expire-missing': { type: 'boolean', default: false },
  'approve-shrink': { type: 'boolean', default: false },
  full: { type: 'boolean', default: false },
  rejects: { type: 'string' },
  suggest: { type: 'boolean', default: false },
  undo: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

// npm changes to the workspace folder; paths are relative to where the user ran it.
const from = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const print = (text: string) => process.stdout.write(`${text}\n`);
  if (values.help) {
    print(USAGE);
    return 0;
  }
  if (values.undo !== undefined) return undo(values.undo, print);
  const [feed, ...others] = positionals;
  if (!feed || others.length > 0 || !(values.map || values.suggest)) throw new UsageError(USAGE);
  const path = from(feed);
  if (!existsSync(path)) throw new UsageError(`File not found: ${path}`);
  if (!values.map) {
    const { mapping, notes } = await suggestMapping(path);
    for (const note of notes) process.stderr.write(`${note}\n`);
    print(JSON.stringify(mapping, null, 2));
    return 0;
  }
  return importFile(path, readMapping(from(values.map)), values, print);
}

function undo(source: string, print: (text: string) => void): number {
  const db = openDatabase(databasePath(readConfig(process.env)));
  try {
    const undone = createImportLog(db).undo(source);
    print(
      undone
        ? `${undone.removed} new listings removed, ${undone.restored} changed ones restored.`
        : `No import of '${source}' can be undone.`,
    );
    return undone ? 0 : 1;
  } finally {
    db.close();
  }
}

interface Choices {
  readonly 'dry-run': boolean;
  readonly 'expire-missing': boolean;
  readonly 'approve-shrink': boolean;
  readonly full: boolean;
  readonly rejects?: string;
}

async function importFile(
  path: string,
  mapping: FeedMapping,
  choices: Choices,
  print: (text: string) => void,
): Promise<number> {
  const config = readConfig(process.env);
  const isDryRun = choices['dry-run'];
  const extension = formatOf(path, mapping) === 'csv' ? 'csv' : 'jsonl';
  const rejectsPath = choices.rejects
    ? from(choices.rejects)
    : join(config.DATA_DIR, `${basename(path)}.rejected.${extension}`);
  mkdirSync(dirname(rejectsPath), { recursive: true });
  const rejects = createRejectFile(rejectsPath);
  const bar = createProgressBar(process.stderr);
  const catalog = config.DEMO_DATA
    ? (await import('@forecourt/demo-data')).createDemoContent().catalog
    : EMPTY_CATALOG;
  const database = databasePath(config);
  const db = openDatabase(isDryRun && !existsSync(database) ? ':memory:' : database);
  const store = createListingStore(db);
  const log = createImportLog(db);
  const started = performance.now();
  try {
    const content = await contentOf(path, [mapping, choices['expire-missing'], config.DEMO_DATA]);
    const repeated = choices.full ? undefined : log.repeated(mapping.source, content);
    if (repeated !== undefined) {
      print(`The feed is unchanged since its last import. Then: ${repeated}`);
      return 0;
    }
    if (!isDryRun) log.begin(mapping.source);
    const summary = await importFeed({
      path,
      mapping,
      zips: createZipDirectory(),
      catalog,
      today: new Date(),
      writer: isDryRun ? createDryRunWriter(db) : createInventoryWriter(db),
      known: { find: (id) => store.listings([id])[0] },
      knownRows: choices.full ? undefined : createFeedRows(db),
      expireMissing: choices['expire-missing'],
      ...(choices['approve-shrink'] && { maxShrink: 1 }),
      onReject: (reject) => rejects.add(reject),
      onProgress: (progress) => bar.show(progress),
    });
    bar.finish();
    const text = report(summary, (performance.now() - started) / 1_000, isDryRun);
    // A held expiry is still to be decided.
    const done = summary.held > 0 ? undefined : { feed: content, summary: text };
    if (!isDryRun) log.finish(mapping.source, done);
    print(text);
    if (summary.rejected > 0) print(`Rejected rows: ${rejectsPath}`);
    return summary.held > 0 ? HELD : 0;
  } finally {
    rejects.close();
    db.close();
  }
}

/** Names what an import depends on: the feed's bytes, the choices, and the importer's version. */
async function contentOf(path: string, choices: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([CONVERSION, ...choices]));
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
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
    ...(summary.unchanged > 0
      ? [`${count(summary.unchanged)} rows are unchanged since the last import.`]
      : []),
    ...(summary.held > 0
      ? [
          `HELD: ${count(summary.held)} listings are missing from the feed, more than ${MAX_SHRINK * 100} % of the source. None was expired; if the feed is complete, repeat with --approve-shrink.`,
        ]
      : []),
    ...(summary.invalidVins > 0 ? [`${count(summary.invalidVins)} VINs have a wrong check digit.`] : []),
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
  process.exitCode = await run(process.argv.slice(2));
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
