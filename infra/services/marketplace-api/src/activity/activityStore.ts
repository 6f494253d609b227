import { join } from 'node:path';
import { type Db, openDatabase } from '@forecourt/durable/database';
import type { PersonalData } from '@forecourt/durable/personalData';

const MS_PER_DAY = 86_400_000;
/** Most vehicles in a consumer's history. */
const HISTORY_LENGTH = 100;
/** ms in which a visitor's views of one listing count once, so that reloading it does not make it popular. */
const VIEW_INTERVAL_MS = MS_PER_DAY;
/** Days after which views are deleted. */
const HISTORY_DAYS = 90;

/** The file of visitors' views. */
export const openActivityDatabase = (path: string): Db =>
  openDatabase(path, { durability: 'normal', migrations: join(import.meta.dirname, 'migrations') });

/** What `activity.sqlite` holds of persons (infra/docs/personal-data.md). */
export const ACTIVITY_DATA: PersonalData = {
  views: {
    what: 'vehicles viewed in a browser',
    why: 'recently viewed vehicles, and suggestions based on them',
    until: `${HISTORY_DAYS} days`,
    seenBy: 'the browser',
    columns: ['consumer'],
  },
  interests: {
    what: 'vehicles with a shown reminder; browser and email address',
    why: 'to show a reminder once per vehicle',
    until: `${HISTORY_DAYS} days`,
    seenBy: 'no one',
    columns: ['consumer', 'email', 'vins'],
  },
  view_counts: 'none',
};

interface View {
  readonly listingId: string;
  readonly vin: string;
  /** Milliseconds since 1970. */
  readonly viewedAt: number;
}

export interface ActivityStore {
  /** Adds a view of a detail page to the consumer's history, and counts it once a day. Without a consumer it is a no-op. */
  view(view: { listingId: string; vin: string; brand: string; consumer?: string }): void;
  /** Newest first. */
  history(consumer: string): View[];
  forget(consumer: string): void;
  /** Views of the last `days`, today included, by brand. */
  viewsByBrand(vin: string, days: number): ReadonlyMap<string, number>;
  /** A still-interested alert was shown. */
  interest(interest: { brand: string; vins: readonly string[]; consumer: string; email: string }): void;
  /** Deletes entries older than the history. */
  sweep(): void;
}

export function createActivityStore(db: Db, now: () => number = Date.now): ActivityStore {
  const today = () => Math.floor(now() / MS_PER_DAY);
  const remember = db.prepare(
    `INSERT INTO views (consumer, listing_id, vin, viewed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (consumer, listing_id) DO UPDATE SET viewed_at = excluded.viewed_at, vin = excluded.vin`,
  );
  const lastView = db
    .prepare<[string, string], number>('SELECT viewed_at FROM views WHERE consumer = ? AND listing_id = ?')
    .pluck();
  const count = db.prepare(
    `INSERT INTO view_counts (vin, brand, day, views) VALUES (?, ?, ?, 1)
     ON CONFLICT (vin, brand, day) DO UPDATE SET views = views + 1`,
  );
  const history = db.prepare<
    [string, number, number],
    { listing_id: string; vin: string; viewed_at: number }
  >(
    `SELECT listing_id, vin, viewed_at FROM views WHERE consumer = ? AND viewed_at > ?
     ORDER BY viewed_at DESC, listing_id LIMIT ?`,
  );
  const forget = db.prepare('DELETE FROM views WHERE consumer = ?');
  const counts = db.prepare<[string, number], { brand: string; views: number }>(
    'SELECT brand, sum(views) AS views FROM view_counts WHERE vin = ? AND day > ? GROUP BY brand',
  );
  const interest = db.prepare(
    'INSERT INTO interests (brand, vins, consumer, email, shown_at) VALUES (?, ?, ?, ?, ?)',
  );
  const sweeps = [
    db.prepare<[number]>('DELETE FROM views WHERE viewed_at <= ?'),
    db.prepare<[number]>('DELETE FROM interests WHERE shown_at <= ?'),
  ];
  const sweepCounts = db.prepare('DELETE FROM view_counts WHERE day <= ?');
  const oldest = () => now() - HISTORY_DAYS * MS_PER_DAY;

  return {
    view: ({ listingId, vin, brand, consumer }) => {
      if (consumer === undefined) return;
      db.transaction(() => {
        if ((lastView.get(consumer, listingId) ?? 0) <= now() - VIEW_INTERVAL_MS)
          count.run(vin, brand, today());
        remember.run(consumer, listingId, vin, now());
      })();
    },
    history: (consumer) =>
      history.all(consumer, oldest(), HISTORY_LENGTH).map(({ listing_id, vin, viewed_at }) => ({
        listingId: listing_id,
        vin,
        viewedAt: viewed_at,
      })),
    forget: (consumer) => void forget.run(consumer),
    viewsByBrand: (vin, days) =>
      new Map(counts.all(vin, today() - days).map(({ brand, views }) => [brand, views])),
    interest: ({ brand, vins, consumer, email }) =>
      void interest.run(brand, JSON.stringify(vins), consumer, email, now()),
    sweep: () =>
      db.transaction(() => {
        for (const statement of sweeps) statement.run(oldest());
        sweepCounts.run(today() - HISTORY_DAYS);
      })(),
  };
}
