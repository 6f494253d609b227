import { existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createLease } from '@forecourt/service-kit/lease';
import { persistentSql, untilAvailable } from '@forecourt/service-kit/persistentSql';
import { DatabaseUnavailableError, type Sql } from '@forecourt/service-kit/sql';
import { loadDemoData } from './demoData.ts';
import { EMPTY_CATALOG } from './domain/catalog.ts';
import { type Config, readConfig } from './config.ts';
import {
  createInventoryWriter,
  createFeedRuns,
  createImportLog,
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
  type Preview,
  readPreview,
  withDealer,
  writePreview,
  csvCell,
  importDetails,
} from './inventory/index.ts';
import { openStock } from './openStorage.ts';
import { EgressError } from '@forecourt/service-kit/egress';

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

/** Changes the stock of a source other than by an import; undefined if there is nothing to change. */
type StockChange = (sql: Sql, source: string) => Promise<string | undefined>;

const undo: StockChange = async (sql, source) => {
  const undone = await createImportLog(sql).undo(source);
  return undone && `${undone.removed} new listings removed, ${undone.restored} changed ones restored.`;
};

const removeSource: StockChange = async (sql, source) => {
  const writer = createInventoryWriter(sql);
  if ((await writer.countMissing(source, () => false)).live === 0) return undefined;
  const log = createImportLog(sql);
  await log.begin(source);
  const removed = await writer.expireMissing(source, () => false);
  await log.finish(source);
  return `${removed} listings removed.`;
};

/** Makes a change and records it as a run. */
const changed = (source: string, status: FeedStatus, change: StockChange): Promise<number> =>
  withStock(readConfig(process.env), (sql, stock) =>
    alone(stock, source, async () => {
      const report = await change(sql, source);
      if (report !== undefined) await (await createFeedRuns(sql).begin(source))(status, report);
      print(report ?? `Nothing of '${source}' to change.`);
      return report === undefined ? 1 : 0;
    }),
  );

const timeText = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

const listRuns = (source: string | undefined): Promise<number> =>
  withStock(readConfig(process.env), async (sql) => {
    print('source,started,finished,status,report');
    for (const run of await createFeedRuns(sql).list(source)) {
      const { startedAt, finishedAt, status, report } = run;
      print(
        [run.source, timeText(startedAt), timeText(finishedAt), status ?? '', report ?? '']
          .map(csvCell)
          .join(),
      );
    }
    return 0;
  });

function findFeed({ FEEDS_FILE }: Config, name: string): Feed {
  if (!FEEDS_FILE) throw new UsageError('FEEDS_FILE names no file of feeds');
  const feeds = readFeeds(FEEDS_FILE);
  const feed = feeds.find((one) => one.name === name);
  if (!feed) throw new UsageError(`No feed '${name}'. Feeds: ${feeds.map((one) => one.name).join(', ')}`);
  return feed;
}

const DOWNLOADS = 'feeds';

/**
 * Folder of downloads and rejected rows. With PostgreSQL, processes need no disk that lasts: it is a temporary one, in which
 * rejected rows stay.
 */
function workFolder({ DATABASE_URL: url, DATA_DIR }: Config): string {
  if (url === undefined) return DATA_DIR;
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-import-'));
  process.once('exit', () => {
    rmSync(join(folder, DOWNLOADS), { recursive: true, force: true });
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  });
  return folder;
}

async function importNamed(name: string, choices: Choices): Promise<number> {
  const config = readConfig(process.env);
  const feed = findFeed(config, name);
  const options = { ...choices, 'expire-missing': choices['expire-missing'] || feed.expireMissing };
  const fetched = () => fetchFeed(feed, join(workFolder(config), DOWNLOADS));
  if (feed.mapping) return recorded(name, options, fetched, feed.mapping);
  return withStock(config, async (sql) => {
    if (choices.preview) return proposed(sql, feed, fetched);
    const reason = `${feed.map} does not exist. Preview the feed on the operators' page, which proposes a mapping.`;
    await (
      await createFeedRuns(sql).begin(name)
    )('failed', reason);
    throw new FeedError(reason);
  });
}

/** Writes the result of a preview, or why there is none, with the columns that were found until then. */
async function previewing(
  sql: Sql,
  name: string,
  columns: () => Suggestion['columns'],
  work: () => Promise<NonNullable<Preview['result']>>,
): Promise<number> {
  const startedAt = Date.now();
  await writePreview(sql, name, { startedAt });
  try {
    await writePreview(sql, name, { startedAt, result: await work() });
    return 0;
  } catch (error) {
    const result = { kind: 'failed' as const, reason: messageOf(error), columns: columns() };
    await writePreview(sql, name, { startedAt, result });
    throw error;
  }
}

/** Instead of the preview of a feed without a mapping: a mapping by the names and values of its columns. */
const proposed = (sql: Sql, feed: Feed, fetched: () => Promise<string>): Promise<number> =>
  previewing(
    sql,
    feed.name,
    () => [],
    async () => {
      const { name, map, dealer = {} } = feed;
      const suggestion = await suggestMapping(await fetched(), Object.keys(dealer));
      const mapping = { ...suggestion.mapping, source: name };
      const isComplete = mappingSchema.safeParse(withDealer(mapping, feed)).success;
      const text = `${JSON.stringify(mapping, null, 2)}\n`;
      const { notes, columns } = suggestion;
      return {
        kind: 'proposed',
        mapping: text,
        path: map,
        isComplete,
        notes: [...notes],
        columns: [...columns],
      };
    },
  );

/** Saves the mapping that the last preview proposed, and previews what an import with it would do. */
async function saveMapping(name: string, choices: Choices): Promise<number> {
  const config = readConfig(process.env);
  const { map } = findFeed(config, name);
  await withStock(config, async (sql) => {
    const last = await readPreview(sql, name);
    if (last?.result?.kind !== 'proposed' || !last.result.isComplete)
      throw new FeedError(`The last preview of ${name} has not proposed a complete mapping.`);
    try {
      // Never over a mapping that somebody has written meanwhile.
      writeFileSync(map, last.result.mapping, { flag: 'wx' });
    } catch (error) {
      const problem = `It can't be saved: ${messageOf(error)}. Save it there by hand.`;
      await writePreview(sql, name, { ...last, result: { ...last.result, problem } });
      throw new FeedError(problem);
    }
  });
  return importNamed(name, { ...choices, preview: true });
}

/** What an operator does about it. */
const INTERRUPTED =
  'PostgreSQL was away for too long. Run the import again: it continues this one, and skips the rows that are stored.';

/** ms until another process can import after one that was killed. */
const LEASE_MS = 20_000;

/** Changes the stock of a source while no other process does, of any replica. */
async function alone({ leases }: Stock, source: string, work: () => Promise<number>): Promise<number> {
  const lease = createLease(leases, `import ${source}`, { leaseMs: LEASE_MS });
  let isDone = false;
  // PostgreSQL was away for longer than the lease: unless another process imports the source now, this one goes on.
  const holdOn = async () => {
    if (isDone) return;
    const isHeld = await untilAvailable(hold).catch(() => false);
    if (isHeld) return;
    process.stderr.write(`${INTERRUPTED}\n`);
    process.exit(1);
  };
  const hold = async (): Promise<boolean> => {
    const lost = await lease.hold();
    lost?.addEventListener('abort', () => void holdOn(), { once: true });
    return lost !== undefined;
  };
  if (!(await hold())) {
    process.stderr.write('Another import is running.\n');
    return BUSY;
  }
  try {
    return await work();
  } finally {
    isDone = true;
    await lease.release();
  }
}

interface Stock {
  /** Repeats what fails while PostgreSQL is restarted: an import's changes are repeatable. */
  readonly sql: Sql;
  /** Repeats nothing: a lease ends when it isn't renewed in time. */
  readonly leases: Sql;
}

async function withStock<T>(config: Config, use: (sql: Sql, stock: Stock) => Promise<T>): Promise<T> {
  const onWait = () => process.stderr.write('Waiting for PostgreSQL.\n');
  const leases = await untilAvailable(() => openStock(config, () => undefined), { onWait });
  const sql = persistentSql(leases);
  try {
    return await use(sql, { sql, leases });
  } finally {
    await sql.close();
  }
}

async function targetOf(config: Config, inventory: Sql): Promise<ImportTarget> {
  const { DEMO_DATA: demoData } = config;
  const catalog = demoData ? (await loadDemoData(demoData)).createDemoContent().catalog : EMPTY_CATALOG;
  return { folder: workFolder(config), inventory, catalog };
}

async function recorded(
  source: string,
  choices: Choices,
  fetched: () => Promise<string>,
  mapping: FeedMapping,
): Promise<number> {
  const config = readConfig(process.env);
  return withStock(config, async (sql, stock) => {
    const target = await targetOf(config, sql);
    if (choices.preview) return previewed(target, { ...choices, 'dry-run': true }, fetched, mapping);
    if (choices['dry-run']) return (await importFile(await fetched(), mapping, choices, target)).exitStatus;
    return alone(stock, source, async () => {
      const finish = await createFeedRuns(sql).begin(source);
      try {
        const { status, report, details, exitStatus } = await importFile(
          await fetched(),
          mapping,
          choices,
          target,
        );
        await finish(status, report, details);
        return exitStatus;
      } catch (error) {
        await finish('failed', messageOf(error));
        throw error;
      }
    });
  });
}

/** A dry run whose result is a page. */
async function previewed(
  target: ImportTarget,
  choices: Choices,
  fetched: () => Promise<string>,
  mapping: FeedMapping,
): Promise<number> {
  const { photoHosts } = mapping;
  const { observer, samples } = collectSamples(photoHosts);
  let columns: Suggestion['columns'] = [];
  return previewing(
    target.inventory,
    mapping.source,
    () => columns,
    async () => {
      const path = await fetched();
      ({ columns } = await suggestMapping(path));
      const { report, details } = await importFile(path, mapping, choices, target, observer);
      const read = details === undefined ? undefined : importDetails.parse(JSON.parse(details));
      return { kind: 'read', report, details: read, photoHosts, samples, columns };
    },
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
  const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${error instanceof DatabaseUnavailableError ? INTERRUPTED : text}\n`);
  process.exitCode = 1;
}
