import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Db } from '@forecourt/service-kit/database';
import Database from 'better-sqlite3';
import { loadDemoData } from './demoData.ts';
import { EMPTY_CATALOG } from './domain/catalog.ts';
import { type Config, databasePath, readConfig } from './config.ts';
import {
  openDatabase,
  createInventoryWriter,
  sendAlone,
  createFeedRuns,
  createImportLog,
  type FeedRuns,
  type FeedStatus,
  BUSY,
  type Feed,
  FeedError,
  fetchFeed,
  readFeeds,
  readMapping,
  MAX_SHRINK,
  NothingToImport,
  type Choices,
  importFile,
  type ImportTarget,
  type Suggestion,
  suggestMapping,
  type FeedMapping,
  BrokenFeed,
  collectSamples,
  mappingSchema,
  readPreview,
  withDealer,
  writePreview,
  csvCell,
  importDetails,
} from './inventory/index.ts';
import { openSharedStock, type StockOfReplicas } from './openStorage.ts';
import { EgressError } from '@forecourt/service-kit/egress';
import { PRIVATE_FOLDER } from '@forecourt/service-kit/privateFiles';

const USAGE = `npm run inventory:import -- FEED --map MAP.json [options]
npm run inventory:import -- --feed NAME        imports a feed of FEEDS_FILE now
npm run inventory:import -- --feed NAME --save-mapping    saves the mapping that its preview proposed
npm run inventory:import -- --runs [SOURCE]    imports so far, as CSV
npm run inventory:import -- --suggest FEED     proposes a mapping for a feed
npm run inventory:import -- --undo SOURCE      restores the stock as it was before the source's last import
npm run inventory:import -- --remove SOURCE    removes all listings of a source; --undo restores them

  FEED                 a file: CSV with any delimiter, JSON, JSON Lines or XML
  --map MAP.json       maps columns to fields
  --dry-run            report what would change, write nothing to the inventory
  --preview            the same, with samples for the operators' pages
  --expire-missing     expire listings that this source no longer contains
  --approve-shrink     expire them although they are more than ${MAX_SHRINK * 100} % of the source's listings
  --full               convert unchanged rows too
  --rejects FILE       file for rejected rows (.csv or .jsonl)
  --help`;

/** The command line is invalid. */
class UsageError extends Error {
  readonly code = 'USAGE';
}

const OPTIONS = {
  map: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  preview: { type: 'boolean', default: false },
  'save-mapping': { type: 'boolean', default: false },
  'expire-missing': { type: 'boolean', default: false },
  'approve-shrink': { type: 'boolean', default: false },
  full: { type: 'boolean', default: false },
  rejects: { type: 'string' },
  feed: { type: 'string' },
  runs: { type: 'boolean', default: false },
  suggest: { type: 'boolean', default: false },
  undo: { type: 'string' },
  remove: { type: 'string' },
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
  if (values.undo !== undefined) return changed(values.undo, 'undone', undo);
  if (values.remove !== undefined) return changed(values.remove, 'removed', removeSource);
  const choices = { ...values, ...(values.rejects && { rejects: from(values.rejects) }) };
  if (values.feed !== undefined)
    return values['save-mapping'] ? saveMapping(values.feed, choices) : importNamed(values.feed, choices);
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
  return recorded(mapping.source, choices, () => Promise.resolve(path), mapping);
}

function withDatabase<T>(use: (db: Db) => T): T {
  const db = openDatabase(databasePath(readConfig(process.env)));
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** Changes the stock of a source other than by an import; undefined if there is nothing to change. */
type StockChange = (db: Db, source: string) => string | undefined;

const undo: StockChange = (db, source) => {
  const undone = createImportLog(db).undo(source);
  return undone && `${undone.removed} new listings removed, ${undone.restored} changed ones restored.`;
};

const removeSource: StockChange = (db, source) => {
  const writer = createInventoryWriter(db);
  if (writer.countMissing(source, () => false).live === 0) return undefined;
  const log = createImportLog(db);
  log.begin(source);
  const removed = writer.expireMissing(source, () => false);
  log.finish(source);
  return `${removed} listings removed.`;
};

/** Makes a change and records it as a run. */
function changed(source: string, status: FeedStatus, change: StockChange): Promise<number> {
  return alone(readConfig(process.env), () =>
    withDatabase((db) => {
      const report = change(db, source);
      if (report !== undefined) createFeedRuns(db).begin(source)(status, report);
      print(report ?? `Nothing of '${source}' to change.`);
      return report === undefined ? 1 : 0;
    }),
  );
}

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

function findFeed({ FEEDS_FILE }: Config, name: string): Feed {
  if (!FEEDS_FILE) throw new UsageError('FEEDS_FILE names no file of feeds');
  const feeds = readFeeds(FEEDS_FILE);
  const feed = feeds.find((one) => one.name === name);
  if (!feed) throw new UsageError(`No feed '${name}'. Feeds: ${feeds.map((one) => one.name).join(', ')}`);
  return feed;
}

async function importNamed(name: string, choices: Choices): Promise<number> {
  const config = readConfig(process.env);
  const feed = findFeed(config, name);
  const options = { ...choices, 'expire-missing': choices['expire-missing'] || feed.expireMissing };
  const fetched = () => fetchFeed(feed, join(config.DATA_DIR, 'feeds'));
  if (feed.mapping) return recorded(name, options, fetched, feed.mapping);
  if (choices.preview) return proposed(config, feed, fetched);
  return alone(config, () => {
    const reason = `${feed.map} does not exist. Preview the feed on the operators' page, which proposes a mapping.`;
    beginRun(config, name)('failed', reason);
    throw new FeedError(reason);
  });
}

/** Instead of the preview of a feed without a mapping: a mapping by the names and values of its columns. */
async function proposed({ DATA_DIR }: Config, feed: Feed, fetched: () => Promise<string>): Promise<number> {
  const { name, map, dealer = {} } = feed;
  const startedAt = Date.now();
  writePreview(DATA_DIR, name, { startedAt });
  try {
    const suggestion = await suggestMapping(await fetched(), Object.keys(dealer));
    const mapping = { ...suggestion.mapping, source: name };
    const { notes, columns } = suggestion;
    const isComplete = mappingSchema.safeParse(withDealer(mapping, feed)).success;
    const text = `${JSON.stringify(mapping, null, 2)}\n`;
    const result = {
      kind: 'proposed' as const,
      mapping: text,
      path: map,
      isComplete,
      notes: [...notes],
      columns,
    };
    writePreview(DATA_DIR, name, { startedAt, result });
    return 0;
  } catch (error) {
    const result = { kind: 'failed' as const, reason: messageOf(error), columns: [] };
    writePreview(DATA_DIR, name, { startedAt, result });
    throw error;
  }
}

/** Saves the mapping that the last preview proposed, and previews what an import with it would do. */
async function saveMapping(name: string, choices: Choices): Promise<number> {
  const config = readConfig(process.env);
  const { map } = findFeed(config, name);
  const last = readPreview(config.DATA_DIR, name);
  if (last?.result?.kind !== 'proposed' || !last.result.isComplete)
    throw new FeedError(`The last preview of ${name} has not proposed a complete mapping.`);
  try {
    // Never over a mapping that somebody has written meanwhile.
    writeFileSync(map, last.result.mapping, { flag: 'wx' });
  } catch (error) {
    const problem = `It can't be saved: ${messageOf(error)}. Save it there by hand.`;
    writePreview(config.DATA_DIR, name, { ...last, result: { ...last.result, problem } });
    throw new FeedError(problem);
  }
  return importNamed(name, { ...choices, preview: true });
}

/** Exit status of an import that other replicas don't know of yet. */
const UNSHARED = 5;
/** ms that the service may take to send what it has found. */
const SHARE_WAIT_MS = 60_000;

/** Changes the stock alone, whatever other processes do: SQLite releases the lock when its process ends. */
async function alone(config: Config, work: () => Promise<number> | number): Promise<number> {
  mkdirSync(config.DATA_DIR, { recursive: true, mode: PRIVATE_FOLDER });
  const lock = new Database(join(config.DATA_DIR, 'import-lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    process.stderr.write('Another import is running.\n');
    return BUSY;
  }
  try {
    const exitStatus = await work();
    return (await share(config)) ? exitStatus : UNSHARED;
  } finally {
    lock.close();
  }
}

/** With PostgreSQL, an import has succeeded when every replica can receive it. */
async function share(config: Config): Promise<boolean> {
  const db = openDatabase(databasePath(config));
  let shared: StockOfReplicas | undefined;
  try {
    shared = await openSharedStock(config, db);
    return shared === undefined || (await sendAlone(db, shared, SHARE_WAIT_MS)) !== undefined;
  } catch (error) {
    process.stderr.write(
      `Other replicas have not received this yet: ${(error as Error).message}. The service sends it as soon as it can.\n`,
    );
    return false;
  } finally {
    await shared?.close();
    db.close();
  }
}

async function targetOf(config: Config): Promise<ImportTarget> {
  const { DATA_DIR: dataDir, DEMO_DATA: demoData } = config;
  const catalog = demoData ? (await loadDemoData(demoData)).createDemoContent().catalog : EMPTY_CATALOG;
  return { dataDir, database: databasePath(config), catalog };
}

async function recorded(
  source: string,
  choices: Choices,
  fetched: () => Promise<string>,
  mapping: FeedMapping,
): Promise<number> {
  const config = readConfig(process.env);
  if (choices.preview) return previewed(config, source, { ...choices, 'dry-run': true }, fetched, mapping);
  if (choices['dry-run'])
    return (await importFile(await fetched(), mapping, choices, await targetOf(config))).exitStatus;
  return alone(config, async () => {
    const finish = beginRun(config, source);
    try {
      const { status, report, details, exitStatus } = await importFile(
        await fetched(),
        mapping,
        choices,
        await targetOf(config),
      );
      finish(status, report, details);
      return exitStatus;
    } catch (error) {
      finish('failed', messageOf(error));
      throw error;
    }
  });
}

/** A dry run whose result is a page. */
async function previewed(
  config: Config,
  source: string,
  choices: Choices,
  fetched: () => Promise<string>,
  mapping: FeedMapping,
): Promise<number> {
  const { DATA_DIR } = config;
  const startedAt = Date.now();
  const { photoHosts } = mapping;
  const { observer, samples } = collectSamples(photoHosts);
  writePreview(DATA_DIR, source, { startedAt });
  let columns: Suggestion['columns'] = [];
  try {
    const path = await fetched();
    ({ columns } = await suggestMapping(path));
    const { report, details } = await importFile(path, mapping, choices, await targetOf(config), observer);
    const read = details === undefined ? undefined : importDetails.parse(JSON.parse(details));
    const result = { kind: 'read' as const, report, details: read, photoHosts, samples, columns };
    writePreview(DATA_DIR, source, { startedAt, result });
    return 0;
  } catch (error) {
    const result = { kind: 'failed' as const, reason: messageOf(error), columns };
    writePreview(DATA_DIR, source, { startedAt, result });
    throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Records the beginning of an import; returns the function that records its end. */
function beginRun(config: Config, source: string): ReturnType<FeedRuns['begin']> {
  const db = openDatabase(databasePath(config));
  const finish = createFeedRuns(db).begin(source);
  return (...result) => {
    finish(...result);
    db.close();
  };
}

// Files are for this process's own user.
process.umask(0o077);
// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
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
