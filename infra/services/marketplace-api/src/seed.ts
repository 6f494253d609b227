import { databasePath, readConfig } from './config.ts';
import { generateInventory, generateOwners } from './inventory/generate.ts';
import { createZipDirectory } from './places/zips.ts';
import { openDatabase } from './store/database.ts';
import { seedInventory } from './store/seedInventory.ts';

/** Counts up when the generator makes other listings of the same seed. */
const GENERATOR_VERSION = 4;

/** `npm run seed`: fills the database and reports {done, total} lines on stdout. */
function seed(): void {
  const config = readConfig(process.env);
  const { INVENTORY_SIZE: size, INVENTORY_SEED: seedNumber } = config;
  const today = new Date();
  const options = { size, seed: seedNumber, today, zips: createZipDirectory() };
  const db = openDatabase(databasePath(config));
  const outcome = seedInventory(db, {
    // The day, too: listings of last month would be a market in which nothing has been listed since.
    key: JSON.stringify({
      size,
      seed: seedNumber,
      day: today.toISOString().slice(0, 10),
      generatorVersion: GENERATOR_VERSION,
    }),
    size,
    owners: () => generateOwners(options),
    listings: () => generateInventory(options),
    onProgress: (progress) => process.stdout.write(`${JSON.stringify(progress)}\n`),
  });
  db.close();
  process.stdout.write(`${JSON.stringify({ outcome, done: size, total: size })}\n`);
}

try {
  seed();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'SQLITE_FULL';
  process.stderr.write(`${isFull ? 'DISK_FULL: no space left in DATA_DIR' : message}\n`);
  process.exit(1);
}
