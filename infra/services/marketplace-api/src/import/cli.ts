import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Db } from '@forecourt/durable/database';
import Database from 'better-sqlite3';
import { type Config, databasePath, readConfig } from '../config.ts';
import { createZipDirectory } from '../places/places.ts';
import { createListingStore, openDatabase } from '../store/listingStore.ts';
import { EMPTY_CATALOG } from '../domain/catalog.ts';
import { createInventoryWriter, createFeedRows } from '../store/inventoryWriter.ts';
import { createFeedRuns, createImportLog, type FeedStatus } from '../store/importLog.ts';
import { createDryRunWriter, createImportMemory } from '../store/importMemory.ts';
import { CONVERSION } from './rowImport.ts';
import { BUSY, FeedError, fetchFeed, readFeeds, readMapping } from './feeds.ts';
import { importFeed, MAX_SHRINK, NothingToImport } from './importFeed.ts';
import { suggestMapping } from './suggestMapping.ts';
import { type FeedMapping, BrokenFeed } from './mapping.ts';
import { formatOf } from './readRows.ts';
import { createProgressBar, createRejectFile, csvCell, reportText } from './reporting.ts';
import { EgressError } from '@forecourt/durable/egress';

const USAGE = `npm run inventory:import -- FEED --map MAP.json [options]
npm run inventory:import -- --feed NAME        imports a feed of FEEDS_FILE now
npm run inventory:import -- --runs [SOURCE]    imports so far, as CSV
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
  feed: { type: 'string' },
  runs: { type: 'boolean', default: false },
  suggest: { type: 'boolean', default: false },
  undo: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

// npm changes to the workspace folder; paths are relative to where the user ran it.
const from = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);

const print = (text: string) => process.stdout.write(`${text}\n`);

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const [feed, ...others] = positionals;
  if (values.help) {
    print(USAGE);
    return 0;
  }
  if (values.undo !== undefined) return undo(values.undo);
  if (values.feed !== undefined) return importNamed(values.feed, values);
  if (values.runs) return listRuns(feed);
  if (!feed || others.length > 0 || !(values.map || values.suggest)) throw new UsageError(USAGE);
  const path = from(feed);
  if (!existsSync(path)) throw new UsageError(`File not found: ${path}`);
  if (!values.map) {
    const { mapping, notes } = await suggestMapping(path);
    for (const note of notes) process.stderr.write(`${note}\n`);
    print(JSON.stringify(mapping, null, 2));
    return 0;
  }
  const mapping = readMapping(from(values.map));
  return recorded(mapping.source, values, () => Promise.resolve(path), mapping);
}

function withDatabase<T>(use: (db: Db) => T): T {
  const db = openDatabase(databasePath(readConfig(process.env)));
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const undo = (source: string): number =>
  withDatabase((db) => {
    const undone = createImportLog(db).undo(source);
    print(
      undone
        ? `${undone.removed} new listings removed, ${undone.restored} changed ones restored.`
        : `No import of '${source}' can be undone.`,
    );
    return undone ? 0 : 1;
  });

const timeText = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

const listRuns = (source: string | undefined): number =>
  withDatabase((db) => {
    print('source,started,finished,status,report');
    for (const { source: name, startedAt, finishedAt, status, report } of createFeedRuns(db).list(source))
      print(
        [name, timeText(startedAt), timeText(finishedAt), status ?? '', report ?? ''].map(csvCell).join(),
      );
    return 0;
  });

interface Choices {
  readonly 'dry-run': boolean;
  readonly 'expire-missing': boolean;
  readonly 'approve-shrink': boolean;
  readonly full: boolean;
  readonly rejects?: string;
}

async function importNamed(name: string, choices: Choices): Promise<number> {
  const config = readConfig(process.env);
  if (!config.FEEDS_FILE) throw new UsageError('FEEDS_FILE names no file of feeds');
  const feeds = readFeeds(config.FEEDS_FILE);
  const feed = feeds.find((one) => one.name === name);
  if (!feed) throw new UsageError(`No feed '${name}'. Feeds: ${feeds.map((one) => one.name).join(', ')}`);
  const options = { ...choices, 'expire-missing': choices['expire-missing'] || feed.expireMissing };
  const fetched = () => fetchFeed(feed, join(config.DATA_DIR, 'feeds'));
  return recorded(name, options, fetched, feed.mapping);
}

/** Runs one import at a time, of whatever process: SQLite releases the lock when its process ends. */
async function recorded(
  source: string,
  choices: Choices,
  fetched: () => Promise<string>,
  mapping: FeedMapping,
): Promise<number> {
  const config = readConfig(process.env);
  if (choices['dry-run']) return (await importFile(await fetched(), mapping, choices, config)).exitStatus;
  mkdirSync(config.DATA_DIR, { recursive: true });
  const lock = new Database(join(config.DATA_DIR, 'import-lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    process.stderr.write('Another import is running.\n');
    return BUSY;
  }
  const finish = beginRun(config, source);
  try {
    const { status, report, exitStatus } = await importFile(await fetched(), mapping, choices, config);
    finish(status, report);
    return exitStatus;
  } catch (error) {
    finish('failed', error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    lock.close();
  }
}

/** Records the beginning of an import; returns the function that records its end. */
function beginRun(config: Config, source: string): (status: FeedStatus, report: string) => void {
  const db = openDatabase(databasePath(config));
  const finish = createFeedRuns(db).begin(source);
  return (status, report) => {
    finish(status, report);
    db.close();
  };
}

interface Outcome {
  readonly status: FeedStatus;
  readonly report: string;
  readonly exitStatus: number;
}

async function importFile(
  path: string,
  mapping: FeedMapping,
  choices: Choices,
  config: Config,
): Promise<Outcome> {
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
      const report = `The feed is unchanged since its last import. Then: ${repeated}`;
      print(report);
      return { status: 'unchanged', report, exitStatus: 0 };
    }
    if (!isDryRun) log.begin(mapping.source);
    const summary = await importFeed({
      path,
      mapping,
      openMemory: createImportMemory,
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
    const report = reportText(
      { ...summary, sharedVins: log.countSharedVins(mapping.source) },
      (performance.now() - started) / 1_000,
      isDryRun,
    );
    const isHeld = summary.held > 0;
    // A held expiry is still to be decided.
    if (!isDryRun) log.finish(mapping.source, isHeld ? undefined : { feed: content, summary: report });
    print(report);
    if (summary.rejected > 0) print(`Rejected rows: ${rejectsPath}`);
    return { status: isHeld ? 'held' : 'imported', report, exitStatus: isHeld ? HELD : 0 };
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

// Files are for this process's own user.
process.umask(0o077);
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isExpected =
    error instanceof UsageError ||
    error instanceof FeedError ||
    error instanceof EgressError ||
    error instanceof NothingToImport ||
    error instanceof BrokenFeed ||
    (error instanceof TypeError && 'code' in error);
  process.stderr.write(
    `${isExpected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = 1;
}
