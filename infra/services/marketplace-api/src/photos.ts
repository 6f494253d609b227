import { parseArgs } from 'node:util';
import { databasePath, readConfig } from './config.ts';
import { csvCell } from './import/reporting.ts';
import { createPhotoStore, type MissingPhoto } from './photos/photoStore.ts';
import { openDatabase } from './store/listingStore.ts';

const USAGE = `usage: photos [status] | photos missing [--source NAME] | photos retry [--source NAME]

  status    how many photos are stored, waiting and failed
  missing   CSV of every photo that a listing lacks, with the reason and the next attempt
  retry     fetches failed photos again, now
`;

const timeOf = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

const missingLine = (photo: MissingPhoto): string =>
  [
    photo.listingId,
    photo.vin,
    photo.stockNumber ?? '',
    String(photo.position),
    photo.url,
    photo.problem ?? 'WAITING',
    String(photo.attempts),
    timeOf(photo.dueAt),
  ]
    .map(csvCell)
    .join();

/** `npm run inventory:photos`: reports and retries photos; the marketplace API fetches them. */
function run(args: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { source: { type: 'string' } },
  });
  const [command = 'status'] = positionals;
  const db = openDatabase(databasePath(readConfig(process.env)));
  try {
    const store = createPhotoStore(db);
    if (command === 'status') {
      process.stdout.write(`${JSON.stringify(store.counts())}\n`);
      return 0;
    }
    if (command === 'missing') {
      process.stdout.write('listing,vin,stock number,position,url,problem,attempts,next attempt\n');
      for (const photo of store.missing(values.source)) process.stdout.write(`${missingLine(photo)}\n`);
      return 0;
    }
    if (command === 'retry') {
      process.stdout.write(`${store.retry(values.source, Date.now())} photos will be fetched again\n`);
      return 0;
    }
    process.stderr.write(USAGE);
    return 2;
  } finally {
    db.close();
  }
}

process.exitCode = run(process.argv.slice(2));
