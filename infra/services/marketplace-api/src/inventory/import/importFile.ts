import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Sql } from '@forecourt/service-kit/sql';
import { type Catalog, EMPTY_CATALOG } from '../../domain/catalog.ts';
import { createZipDirectory } from '../../domain/places/index.ts';
import { createImportLog, type FeedStatus } from '../store/importLog.ts';
import { createDryRunWriter, createImportMemory, type DryRunObserver } from '../store/importMemory.ts';
import { createFeedRows, createInventoryWriter } from '../store/inventoryWriter.ts';
import { createListingStore } from '../store/listingStore.ts';
import { importFeed, NothingToImport } from './importFeed.ts';
import type { FeedMapping } from './mapping.ts';
import { formatOf } from './openFeed.ts';
import { createProgressBar, createRejectFile, importDetails, MAX_LISTED, reportText } from './reporting.ts';
import { CONVERSION } from './rowImport.ts';
import { PRIVATE_FOLDER } from '@forecourt/service-kit/privateFiles';

/** Exit status of an import whose expiry waits for an approval. */
const HELD = 3;

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Options of the command line. */
export interface Choices {
  readonly 'dry-run': boolean;
  readonly 'expire-missing': boolean;
  readonly 'approve-shrink': boolean;
  readonly preview: boolean;
  readonly full: boolean;
  /** Path of the file of rejected rows. */
  readonly rejects?: string;
}

export interface Outcome {
  readonly status: FeedStatus;
  readonly report: string;
  /** JSON (ImportDetails). */
  readonly details?: string;
  readonly exitStatus: number;
}

/** Where an import reads and writes. */
export interface ImportTarget {
  /** Folder of the file of rejected rows. */
  readonly folder: string;
  readonly inventory: Sql;
  /** Completes vehicles; `EMPTY_CATALOG` without one. */
  readonly catalog: Catalog;
}

/** Imports the rows of a file into the inventory, with a progress bar on stderr and a report on stdout. */
export async function importFile(
  path: string,
  mapping: FeedMapping,
  choices: Choices,
  { folder, inventory, catalog }: ImportTarget,
  observer?: DryRunObserver,
): Promise<Outcome> {
  const isDryRun = choices['dry-run'];
  const extension = formatOf(path, mapping) === 'csv' ? 'csv' : 'jsonl';
  const rejectsPath = choices.rejects ?? join(folder, `${basename(path)}.rejected.${extension}`);
  mkdirSync(dirname(rejectsPath), { recursive: true, mode: PRIVATE_FOLDER });
  const rejects = createRejectFile(rejectsPath);
  const bar = createProgressBar(process.stderr);
  const store = createListingStore(inventory);
  const log = createImportLog(inventory);
  const refused: { line: number; reason: string }[] = [];
  const started = performance.now();
  try {
    const content = await contentOf(path, [mapping, choices['expire-missing'], catalog !== EMPTY_CATALOG]);
    const repeated = choices.full ? undefined : await log.repeated(mapping.source, content);
    if (repeated !== undefined) {
      const report = `The feed is unchanged since its last import. Then: ${repeated}`;
      print(report);
      return { status: 'unchanged', report, exitStatus: 0 };
    }
    if (!isDryRun) await log.begin(mapping.source);
    const summary = await importFeed({
      path,
      mapping,
      openMemory: createImportMemory,
      zips: createZipDirectory(),
      catalog,
      today: new Date(),
      writer: isDryRun ? createDryRunWriter(inventory, observer) : createInventoryWriter(inventory),
      known: { find: (ids) => store.listings(ids) },
      knownRows: choices.full ? undefined : await createFeedRows(inventory),
      expireMissing: choices['expire-missing'],
      ...(choices['approve-shrink'] && { maxShrink: 1 }),
      onReject(reject) {
        rejects.add(reject);
        if (refused.length < MAX_LISTED) refused.push({ line: reject.line, reason: reject.reason });
      },
      onProgress: (progress) => bar.show(progress),
    }).catch((error: unknown) => {
      if (!(error instanceof NothingToImport) || refused.length === 0) throw error;
      throw new NothingToImport(`${error.message}\nRejected rows: ${rejectsPath}`, { cause: error });
    });
    bar.finish();
    const seconds = (performance.now() - started) / 1_000;
    const report = reportText(
      { ...summary, sharedVins: await log.countSharedVins(mapping.source) },
      seconds,
      isDryRun,
    );
    const details = JSON.stringify(
      importDetails.parse({ ...summary, seconds, counts: summary, rejects: refused }),
    );
    const isHeld = summary.held > 0;
    // A held expiry is still to be decided.
    if (!isDryRun) await log.finish(mapping.source, isHeld ? undefined : { feed: content, summary: report });
    print(report);
    if (summary.rejected > 0) print(`Rejected rows: ${rejectsPath}`);
    return { status: isHeld ? 'held' : 'imported', report, details, exitStatus: isHeld ? HELD : 0 };
  } finally {
    rejects.close();
  }
}

/** Names what an import depends on: the feed's bytes, the choices, and the importer's version. */
async function contentOf(path: string, choices: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([CONVERSION, ...choices]));
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
}
