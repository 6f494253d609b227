import { readConfig, type Config } from './config.ts';
import { loadDemoData } from './demoData.ts';
import { createZipDirectory } from './domain/places/index.ts';
import { seedInventory, type SeedSource } from './inventory/index.ts';
import { openStock } from './openStorage.ts';

const INVENTORY_SEED = 2026;

/** Generated listings, which also depend on the day: so that some listings are always new. */
async function demoInventory(demoData: string, { INVENTORY_SIZE: size }: Config): Promise<SeedSource> {
  const { generateInventory, generateOwners, GENERATOR_VERSION } = await loadDemoData(demoData);
  const today = new Date();
  const seed = INVENTORY_SEED;
  const options = { size, seed, today, zips: createZipDirectory() };
  return {
    key: JSON.stringify({
      size,
      seed,
      day: today.toISOString().slice(0, 10),
      generatorVersion: GENERATOR_VERSION,
    }),
    size,
    owners: () => generateOwners(options),
    listings: () => generateInventory(options),
  };
}

/** Removes generated listings of earlier runs; imported ones stay. */
const NO_INVENTORY: SeedSource = { key: 'none', size: 0, owners: () => [], listings: () => [] };

/** `npm run seed`: fills the database and reports {done, total} lines on stdout. */
async function seed(): Promise<void> {
  const config = readConfig(process.env);
  const source = config.DEMO_DATA ? await demoInventory(config.DEMO_DATA, config) : NO_INVENTORY;
  const sql = await openStock(config);
  const report = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  try {
    const outcome = await seedInventory(sql, { ...source, onProgress: report });
    report({ outcome, done: source.size, total: source.size });
  } finally {
    await sql.close();
  }
}

// Files are for this process's own user.
process.umask(0o077);
try {
  await seed();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'SQLITE_FULL';
  process.stderr.write(`${isFull ? 'DISK_FULL: no space left in DATA_DIR' : message}\n`);
  process.exit(1);
}
