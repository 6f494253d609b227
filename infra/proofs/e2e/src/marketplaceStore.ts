import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { apiOrigin, dataDir } from './sharedStack.ts';
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

function inStore<T>(use: (database: DatabaseSync) => T, file = 'people.sqlite'): T {
  // Waits while the service writes.
  const database = new DatabaseSync(join(dataDir(), file), { timeout: BUSY_MS });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Rows of a table of user data, read from disk because no endpoint lists them. */
export const storedRows = (
  table: 'alerts' | 'bookmarks' | 'captures' | 'deals' | 'devices' | 'profiles' | 'saved_listings',
): readonly Readonly<Record<string, unknown>>[] =>
  inStore((database) => database.prepare(`SELECT * FROM ${table}`).all());

/** How many accounts identity has for an email address. */
export const identityAccounts = (email: string): number =>
  inStore(
    (database) => database.prepare('SELECT email FROM account WHERE email = ?').all(email).length,
    'identity.sqlite',
  );

/** Removes the last name from a visitor's profile, as in profiles imported from another system. */
export const takeLastName = (email: string): void =>
  inStore((database) => {
    database
      .prepare(`UPDATE profiles SET body = json_set(body, '$.lastName', '') WHERE body ->> '$.email' = ?`)
      .run(email);
  });

/** Removes a listing from the stock as an import does, at a time in the past (ms); null brings it back. */
export function removeListing(id: string, removedAt: number | null, folder = dataDir()): void {
  const database = new DatabaseSync(join(folder, 'marketplace.sqlite'), { timeout: 5_000 });
  try {
    // One transaction: the API must not see the new number without its row.
    database.exec(
      `BEGIN IMMEDIATE; UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'change_seq'`,
    );
    // Searches show the earlier version until they find the new one.
    database
      .prepare(
        `INSERT INTO superseded (kind, id, until_seq, at, body)
         SELECT 'listing', id, (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq'), ?,
           iif(removed_at IS NULL, body, NULL) FROM listings WHERE id = ?`,
      )
      .run(Date.now(), id);
    database
      .prepare(
        `UPDATE listings SET removed_at = ?, row_key = NULL,
           seq = (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq') WHERE id = ?`,
      )
      .run(removedAt, id);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** How often the shell logged a browser-reported problem with this code. */
export const problemsLogged = (code: string): number =>
  linesWith(logLines(dataDir()), ['"problem.reported"', `"name":"${code}"`]).length;

/** Injects a fault into one call, for the next `times` calls or until the returned function removes it. */
export async function failing(
  call: string,
  fault: { readonly status?: number; readonly delayMs?: number; readonly times?: number },
): Promise<() => Promise<void>> {
  const response = await fetch(`${apiOrigin()}/__faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ call, ...fault }),
  });
  if (!response.ok) throw new Error(`fault refused: ${await response.text()}`);
  const { id } = (await response.json()) as { id: number };
  return async () => {
    await fetch(`${apiOrigin()}/__faults/${id}`, { method: 'DELETE' });
  };
}
