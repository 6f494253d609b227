import Database from 'better-sqlite3';

/** Rows per transaction, to bound the journal. */
const COMMIT_EVERY = 50_000;

/** Sellers that are not written again. */
const MAX_RECENT_SELLERS = 20_000;

/** Ids and keys of earlier rows of one import, in a temporary SQLite file, which SQLite deletes when the connection closes. */
export function createImportMemory() {
  const db = new Database('');
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(`
    CREATE TABLE alike (key INTEGER PRIMARY KEY, times INTEGER NOT NULL);
    CREATE TABLE seen (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE sellers (id TEXT PRIMARY KEY) WITHOUT ROWID;
    BEGIN`);
  const count = db
    .prepare<[number], number>(
      `INSERT INTO alike (key, times) VALUES (?, 0)
       ON CONFLICT (key) DO UPDATE SET times = times + 1 RETURNING times`,
    )
    .pluck();
  const peek = db.prepare<[number], number>('SELECT times + 1 FROM alike WHERE key = ?').pluck();
  const see = db.prepare('INSERT OR IGNORE INTO seen (id) VALUES (?)');
  const findId = db.prepare<[string], number>('SELECT 1 FROM seen WHERE id = ?').pluck();
  const seeSeller = db.prepare('INSERT OR IGNORE INTO sellers (id) VALUES (?)');
  const recentSellers = new Set<string>();
  const sellers = db.prepare<[], number>('SELECT count(*) FROM sellers').pluck();
  let notes = 0;
  const noted = () => {
    notes += 1;
    if (notes % COMMIT_EVERY === 0) db.exec('COMMIT; BEGIN');
  };

  return {
    timesBefore(key: number) {
      noted();
      return count.get(key) ?? 0;
    },
    timesSeen: (key: number) => peek.get(key) ?? 0,
    see(id: string) {
      noted();
      see.run(id);
    },
    hasSeen: (id: string) => findId.get(id) !== undefined,
    seeSeller(id: string) {
      if (recentSellers.has(id)) return;
      if (recentSellers.size >= MAX_RECENT_SELLERS) recentSellers.clear();
      recentSellers.add(id);
      seeSeller.run(id);
    },
    get sellers(): number {
      return sellers.get() ?? 0;
    },
    close() {
      db.close();
    },
  };
}
