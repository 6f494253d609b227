import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../store/database.ts';
import { emailKey } from './accountStore.ts';

export type LinkPurpose = 'sign-up' | 'reset';

/** ms for which a mailed link is good. */
export const LINK_LIFE_MS = 3_600_000;
const SECRET_BYTES = 32;

/** Links that are good once, for an hour, for who reads the mail of an address. */
export interface Links {
  /** A new link's secret: 256 random bits, base64url. */
  readonly issue: (purpose: LinkPurpose, email: string, payload: object) => string;
  /** What a link is for, without using it: mail scanners open links. Undefined when it is used, too old or unknown. */
  readonly find: (purpose: LinkPurpose, secret: string) => unknown;
  /** Uses a link up, and all others of the same purpose and address; false when it was used meanwhile. */
  readonly use: (purpose: LinkPurpose, secret: string) => boolean;
  /** Deletes what is too old; answers how many. */
  readonly sweep: () => number;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** `now` in ms. */
export function createLinks(db: Db, now: () => number = Date.now): Links {
  const insert = db.prepare('INSERT INTO link VALUES (?, ?, ?, ?, ?)');
  const select = db.prepare<[string, string, number], { payload: string; email_key: string }>(
    'SELECT payload, email_key FROM link WHERE hash = ? AND purpose = ? AND expires_at > ?',
  );
  const removeAll = db.prepare('DELETE FROM link WHERE email_key = ? AND purpose = ?');
  const sweep = db.prepare('DELETE FROM link WHERE expires_at <= ?');
  return {
    issue(purpose, email, payload) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      insert.run(hashOf(secret), purpose, emailKey(email), JSON.stringify(payload), now() + LINK_LIFE_MS);
      return secret;
    },
    find(purpose, secret) {
      const row = select.get(hashOf(secret), purpose, now());
      return row && (JSON.parse(row.payload) as unknown);
    },
    use: (purpose, secret) => {
      const row = select.get(hashOf(secret), purpose, now());
      return row !== undefined && removeAll.run(row.email_key, purpose).changes > 0;
    },
    sweep: () => sweep.run(now()).changes,
  };
}
