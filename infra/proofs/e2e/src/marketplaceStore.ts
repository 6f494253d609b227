import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { REPOSITORY } from '@forecourt/local';
import { openPostgres } from '@forecourt/service-kit/postgres';
import type { Sql, SqlValue } from '@forecourt/service-kit/sql';
import { apiOrigin, apiReplicas, dataDir } from './sharedStack.ts';
import { linesWith, logLines } from './serviceLogs.ts';

/** Stored records, read through the local-mode endpoints of the API. */
export interface StoredLead {
  readonly kind: string;
  readonly listingId: string;
  readonly body: Readonly<Record<string, unknown>>;
}
export interface StoredEmail {
  readonly kind: string;
  readonly to: string;
}

const read = async <T>(path: string): Promise<T> => (await fetch(apiOrigin() + path)).json() as Promise<T>;

/** Messages and offers from one email address. */
export async function leadsFrom(email: string): Promise<readonly StoredLead[]> {
  const { leads } = await read<{ leads: StoredLead[] }>('/cars-for-sale/svc/leads');
  return leads.filter(({ body }) => body['fromEmailAddress'] === email);
}

/** Reports with exactly these comments. */
export async function reportsWithComments(comments: string): Promise<readonly { readonly reason: string }[]> {
  const { reports } = await read<{ reports: { reason: string; comments: string }[] }>(
    '/cars-for-sale/svc/reports',
  );
  return reports.filter((report) => report.comments === comments);
}

/** Emails of one kind to one address. */
export async function emailsTo(email: string, kind: string): Promise<readonly StoredEmail[]> {
  const { mails } = await read<{ mails: StoredEmail[] }>('/outbox');
  return mails.filter((mail) => mail.to.includes(email) && mail.kind === kind);
}

const BUSY_MS = 5_000;

/** Schemas of the cluster's PostgreSQL, with what a stack of single services has instead: a file. */
const STORES = {
  people: { file: 'people.sqlite', migrations: 'marketplace-api/src/community/people/migrations' },
  inventory: { file: 'marketplace.sqlite', migrations: 'marketplace-api/src/inventory/store/migrations' },
  identity: { file: 'identity.sqlite', migrations: 'identity/src/store/migrations' },
} as const;

type Store = Pick<Sql, 'all' | 'run' | 'inTurn'>;

function openFile(path: string): Store & { readonly close: () => Promise<void> } {
  // Waits while the service writes.
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  return {
    all: async <Row>(text: string, ...values: readonly SqlValue[]) =>
      database.prepare(text).all(...values) as Row[],
    run: async (text, ...values) => Number(database.prepare(text).run(...values).changes),
    async inTurn(_, work) {
      database.exec('BEGIN IMMEDIATE');
      const result = await work();
      database.exec('COMMIT');
      return result;
    },
    close: async () => database.close(),
  };
}

/** Uses a store of the stack that all tests share, or of the one with this data folder. */
async function inStore<T>(
  name: keyof typeof STORES,
  use: (store: Store) => Promise<T>,
  folder?: string,
): Promise<T> {
  const { file, migrations } = STORES[name];
  const url = folder === undefined ? process.env['E2E_DATABASE_URL'] : undefined;
  const store = url
    ? await openPostgres({
        url,
        schema: name,
        migrations: join(REPOSITORY, 'infra/services', migrations),
        maxConnections: 1,
      })
    : openFile(join(folder ?? dataDir(), file));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Rows of a table of user data, read from the store because no endpoint lists them. */
export const storedRows = (
  table: 'alerts' | 'bookmarks' | 'captures' | 'deals' | 'devices' | 'profiles' | 'saved_listings',
): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  inStore('people', (store) => store.all(`SELECT * FROM ${table}`));

/** How many accounts identity has for an email address. */
export const identityAccounts = (email: string): Promise<number> =>
  inStore(
    'identity',
    async (store) => (await store.all('SELECT email FROM account WHERE email = ?', email)).length,
  );

/** Removes the last name from a visitor's profile, as in profiles imported from another system. */
export const takeLastName = (email: string): Promise<void> =>
  inStore('people', async (store) => {
    for (const { body } of await store.all<{ body: string }>('SELECT body FROM profiles')) {
      const profile = JSON.parse(body) as { email: string };
      const changed = JSON.stringify({ ...profile, lastName: '' });
      if (profile.email === email)
        await store.run('UPDATE profiles SET body = ? WHERE body = ?', changed, body);
    }
  });

/** Removes a listing from the stock as an import does, at a time in the past (ms); null brings it back. */
export const removeListing = (id: string, removedAt: number | null, folder?: string): Promise<void> =>
  inStore(
    'inventory',
    (store) =>
      // One transaction: the API must not see the new number without its row.
      store.inTurn('stock', async () => {
        const counter = `key = 'change_seq'`;
        const [counted] = await store.all<{ value: string }>(`SELECT value FROM meta WHERE ${counter}`);
        const change = Number(counted!.value) + 1;
        await store.run(`UPDATE meta SET value = ? WHERE ${counter}`, String(change));
        // Searches show the earlier version until they find the new one.
        await store.run(
          `INSERT INTO superseded (kind, id, until_seq, at, body)
           SELECT 'listing', id, CAST(? AS BIGINT), CAST(? AS BIGINT), CASE WHEN removed_at IS NULL THEN body END
           FROM listings WHERE id = ?`,
          change,
          Date.now(),
          id,
        );
        await store.run(
          'UPDATE listings SET removed_at = ?, row_key = NULL, seq = ? WHERE id = ?',
          removedAt,
          change,
          id,
        );
      }),
    folder,
  );

/** How often the shell logged a browser-reported problem with this code. */
export const problemsLogged = (code: string): number =>
  linesWith(logLines(dataDir()), ['"problem.reported"', `"name":"${code}"`]).length;

const FAULT_POLL_MS = 20;

interface ApiFault {
  readonly status?: number;
  readonly delayMs?: number;
  /** Calls that fail; default: all, until the fault is removed. */
  readonly times?: number;
}

/** Removes the other replicas' copies of a fault once it has happened often enough, until the signal is aborted. */
async function shareTimes(faults: readonly string[], times: number, signal: AbortSignal): Promise<void> {
  const left = async (fault: string) => {
    const { faults: all } = (await (await fetch(new URL('.', fault))).json()) as {
      faults: { id: number; times: number }[];
    };
    return all.find(({ id }) => fault.endsWith(`/${id}`))?.times ?? 0;
  };
  while (!signal.aborted) {
    const counts = await Promise.all(faults.map(left));
    const happened = counts.reduce((sum, count) => sum + times - count, 0);
    if (happened >= times) return void (await Promise.all(faults.map(removeFault)));
    await wait(FAULT_POLL_MS);
  }
}
const removeFault = (fault: string): Promise<unknown> => fetch(fault, { method: 'DELETE' });

/** Injects a fault into one call, for the next `times` calls or until the returned function removes it. */
export async function failing(call: string, fault: ApiFault): Promise<() => Promise<void>> {
  const faults: string[] = [];
  for (const api of apiReplicas()) {
    const response = await fetch(`${api}/__faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ call, ...fault }),
    });
    if (!response.ok) throw new Error(`fault refused: ${await response.text()}`);
    const { id } = (await response.json()) as { id: number };
    faults.push(`${api}/__faults/${id}`);
  }
  const removing = new AbortController();
  const { times } = fault;
  const sharing =
    times !== undefined && faults.length > 1 ? shareTimes(faults, times, removing.signal) : undefined;
  return async () => {
    removing.abort();
    await sharing;
    await Promise.all(faults.map(removeFault));
  };
}
