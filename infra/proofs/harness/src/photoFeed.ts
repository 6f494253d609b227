import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@forecourt/local';

/** Header of the feed, by the field that it is mapped to. */
export const HEADERS = {
  vin: 'vin',
  year: 'year',
  make: 'make',
  model: 'model',
  price: 'price',
  mileage: 'miles',
  sellerName: 'dealer',
  zip: 'zip',
  photoUrls: 'photos',
} as const;

export type FeedRow = Readonly<Record<keyof typeof HEADERS, string | number>>;

/** Runs an entry point of the marketplace API on the data in `folder`, and returns its output. */
export const runTool = async (
  folder: string,
  environment: Readonly<Record<string, string>>,
  script: string,
  ...args: string[]
): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [script, ...args], {
      cwd: join(REPOSITORY, 'infra/services/marketplace-api'),
      env: { ...process.env, ...environment, DATA_DIR: folder },
      maxBuffer: 64_000_000,
    })
  ).stdout;

/** Writes a dealer's feed with photos and its map into `folder`, and imports it into the data there. */
export async function importPhotoFeed(
  folder: string,
  environment: Readonly<Record<string, string>>,
  source: string,
  rows: readonly FeedRow[],
): Promise<void> {
  const fields = Object.keys(HEADERS) as (keyof typeof HEADERS)[];
  const lines = rows.map((row) => fields.map((field) => row[field]).join(','));
  const [feed, map] = [join(folder, 'feed.csv'), join(folder, 'feed.map.json')];
  writeFileSync(feed, `${[Object.values(HEADERS).join(','), ...lines].join('\n')}\n`);
  writeFileSync(map, JSON.stringify({ source, fields: HEADERS }));
  await runTool(folder, environment, 'src/import.ts', feed, '--map', map);
}
