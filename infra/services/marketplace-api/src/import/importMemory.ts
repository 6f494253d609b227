import Database from 'better-sqlite3';

/** Ids and keys of earlier rows of one import, stored on disk to bound memory. */
export interface ImportMemory {
  /** How often this key occurred before. */
  timesBefore(key: number): number;
  /** The same, without counting this time. */
  timesSeen(key: number): number;
  /** Records an id of the feed. */
  see(id: string): void;
  hasSeen(id: string): boolean;
  /** Records a seller; `sellers` counts distinct ones. */
  seeSeller(id: string): void;
  readonly sellers: number;
  close(): void;
}

/** Rows per transaction, to bound the journal. */
const COMMIT_EVERY = 50_000;

/** In a temporary SQLite file, which SQLite deletes when the connection closes. */
export function createImportMemory(): ImportMemory {
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
  const sellers = db.prepare<[], number>('SELECT count(*) FROM sellers').pluck();
  let notes = 0;
  const noted = () => {
    notes += 1;
    if (notes % COMMIT_EVERY === 0) db.exec('COMMIT; BEGIN');
  };

  return {
    timesBefore(key) {
      noted();
      return count.get(key) ?? 0;
    },
    timesSeen: (key) => peek.get(key) ?? 0,
    see(id) {
      noted();
      see.run(id);
    },
    hasSeen: (id) => findId.get(id) !== undefined,
    seeSeller: (id) => void seeSeller.run(id),
    get sellers() {
      return sellers.get() ?? 0;
    },
    close() {
      db.close();
    },
  };
}
