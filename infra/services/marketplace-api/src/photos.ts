import { parseArgs } from 'node:util';
import { runCommand } from '@forecourt/service-kit/start';
import { readConfig } from './config.ts';
import type { StockPhoto } from './domain/stock.ts';
import {
  csvCell,
  type PhotoFiles,
  createPhotoStore,
  type MissingPhoto,
  type PhotoStore,
} from './inventory/index.ts';
import { openPhotoFiles, openStock } from './openStorage.ts';

const USAGE = `usage: photos [status] | photos missing [--source NAME] | photos retry [--source NAME] | photos check

  status    how many photos are stored, waiting and failed
  missing   CSV of every photo that a listing lacks, with the reason and the next attempt
  retry     fetches failed photos again, now
  check     fetches photos again whose files the storage has lost
`;

const CONCURRENT_CHECKS = 8;

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

/** Reads a file of every stored photo, several at a time; photos without it are fetched again. */
async function check(store: PhotoStore, files: PhotoFiles): Promise<string> {
  let [checked, lost] = [0, 0];
  const checkOne = async ({ hash, widths }: StockPhoto) => {
    checked += 1;
    if (await files.read({ hash, width: widths[0]!, format: 'webp' })) return;
    await store.lost(hash, Date.now());
    lost += 1;
  };
  let last = '';
  for (let photos = await store.known(last, CONCURRENT_CHECKS); photos.length > 0;) {
    await Promise.all(photos.map(checkOne));
    last = photos.at(-1)!.hash;
    photos = await store.known(last, CONCURRENT_CHECKS);
  }
  return `${checked} photos checked, ${lost} will be fetched again\n`;
}

/** `npm run inventory:photos`: reports and retries photos; the marketplace API fetches them. */
async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { source: { type: 'string' } },
  });
  const [command = 'status'] = positionals;
  const config = readConfig(process.env);
  const sql = await openStock(config);
  try {
    const store = createPhotoStore(sql);
    if (command === 'status') {
      process.stdout.write(`${JSON.stringify(await store.counts())}\n`);
      return 0;
    }
    if (command === 'missing') {
      process.stdout.write('listing,vin,stock number,position,url,problem,attempts,next attempt\n');
      for (const photo of await store.missing(values.source)) process.stdout.write(`${missingLine(photo)}\n`);
      return 0;
    }
    if (command === 'retry') {
      process.stdout.write(`${await store.retry(values.source, Date.now())} photos will be fetched again\n`);
      return 0;
    }
    if (command === 'check') {
      process.stdout.write(await check(store, await openPhotoFiles(config, sql)));
      return 0;
    }
    process.stderr.write(USAGE);
    return 2;
  } finally {
    await sql.close();
  }
}

await runCommand('photos', run);
