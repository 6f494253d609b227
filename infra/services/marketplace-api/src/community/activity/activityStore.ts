import { join } from 'node:path';
import { type Db, openDatabase } from '@forecourt/service-kit/database';
import { sweepRateCounters } from '@forecourt/service-kit/rateCounters';
import type { Sql } from '@forecourt/service-kit/sql';
import type { PersonalData } from '@forecourt/service-kit/personalData';

const MS_PER_DAY = 86_400_000;
/** Most vehicles in a consumer's history. */
const HISTORY_LENGTH = 100;
/** ms in which a visitor's views of one listing count once, so that reloading it does not make it popular. */
const VIEW_INTERVAL_MS = MS_PER_DAY;
/** Days after which views are deleted. */
const HISTORY_DAYS = 90;

/** A crash may lose the last views. */
export const ACTIVITY_OPTIONS = {
  durability: 'normal',
  migrations: join(import.meta.dirname, 'migrations'),
} as const;

/** The file of visitors' views. */
export const openActivityDatabase = (path: string): Db => openDatabase(path, ACTIVITY_OPTIONS);

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
  rate_count: {
    what: 'hash of an account, a browser or a network address; number of writes',
    why: 'to limit writes; replicas over PostgreSQL only',
    until: '1 minute, and the next hourly cleanup',
    seenBy: 'no one',
    columns: ['key', 'hits'],
  },
};

interface View {
  readonly listingId: string;
  readonly vin: string;
  /** Milliseconds since 1970. */
  readonly viewedAt: number;
}

export interface ActivityStore {
  /** Adds a view of a detail page to the consumer's history, and counts it once a day. Without a consumer it is a no-op. */
  view(view: { listingId: string; vin: string; brand: string; consumer?: string }): Promise<void>;
  /** Newest first. */
  history(consumer: string): Promise<View[]>;
  forget(consumer: string): Promise<void>;
  /** Views of the last `days`, today included, by brand. */
  viewsByBrand(vin: string, days: number): Promise<ReadonlyMap<string, number>>;
  /** A still-interested alert was shown. */
  interest(interest: {
    brand: string;
    vins: readonly string[];
    consumer: string;
    email: string;
  }): Promise<void>;
  /** Deletes entries older than the history. */
  sweep(): Promise<void>;
}

export function createActivityStore(sql: Sql, now: () => number = Date.now): ActivityStore {
  const today = () => Math.floor(now() / MS_PER_DAY);
  const oldest = () => now() - HISTORY_DAYS * MS_PER_DAY;
  async function countOnce(consumer: string, listingId: string, vin: string, brand: string): Promise<void> {
    const last = await sql.get<{ viewed_at: number }>(
      'SELECT viewed_at FROM views WHERE consumer = ? AND listing_id = ?',
      consumer,
      listingId,
    );
    if ((last?.viewed_at ?? 0) > now() - VIEW_INTERVAL_MS) return;
    await sql.run(
      `INSERT INTO view_counts (vin, brand, day, views) VALUES (?, ?, ?, 1)
       ON CONFLICT (vin, brand, day) DO UPDATE SET views = view_counts.views + 1`,
      vin,
      brand,
      today(),
    );
  }

  return {
    async view({ listingId, vin, brand, consumer }) {
      if (consumer === undefined) return;
      await sql.transaction(async () => {
        await countOnce(consumer, listingId, vin, brand);
        await sql.run(
          `INSERT INTO views (consumer, listing_id, vin, viewed_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (consumer, listing_id) DO UPDATE SET viewed_at = excluded.viewed_at, vin = excluded.vin`,
          consumer,
          listingId,
          vin,
          now(),
        );
      });
    },
    async history(consumer) {
      const rows = await sql.all<{ listing_id: string; vin: string; viewed_at: number }>(
        `SELECT listing_id, vin, viewed_at FROM views WHERE consumer = ? AND viewed_at > ?
         ORDER BY viewed_at DESC, listing_id LIMIT ?`,
        consumer,
        oldest(),
        HISTORY_LENGTH,
      );
      return rows.map(({ listing_id, vin, viewed_at }) => ({
        listingId: listing_id,
        vin,
        viewedAt: viewed_at,
      }));
    },
    async forget(consumer) {
      await sql.run('DELETE FROM views WHERE consumer = ?', consumer);
    },
    async viewsByBrand(vin, days) {
      const rows = await sql.all<{ brand: string; views: number }>(
        `SELECT brand, CAST(sum(views) AS BIGINT) AS views FROM view_counts WHERE vin = ? AND day > ?
         GROUP BY brand`,
        vin,
        today() - days,
      );
      return new Map(rows.map(({ brand, views }) => [brand, views]));
    },
    async interest({ brand, vins, consumer, email }) {
      await sql.run(
        'INSERT INTO interests (brand, vins, consumer, email, shown_at) VALUES (?, ?, ?, ?, ?)',
        brand,
        JSON.stringify(vins),
        consumer,
        email,
        now(),
      );
    },
    sweep: () =>
      sql.transaction(async () => {
        await sql.run('DELETE FROM views WHERE viewed_at <= ?', oldest());
        await sql.run('DELETE FROM interests WHERE shown_at <= ?', oldest());
        await sql.run('DELETE FROM view_counts WHERE day <= ?', today() - HISTORY_DAYS);
        await sweepRateCounters(sql, now);
      }),
  };
}
