import type { Db } from '../store/database.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text: links stand in lines of their own. */
  readonly text: string;
}
export interface StoredMail extends Mail {
  readonly id: number;
  readonly attempts: number;
  /** ms since 1970. */
  readonly createdAt: number;
}

interface Row {
  id: number;
  recipient: string;
  subject: string;
  text: string;
  created_at: number;
  attempts: number;
}

/** Mails on their way, in the database of what causes them. */
export interface MailOutbox {
  /** Writes a mail down; it is sent later. Called inside the transaction of its cause. */
  readonly add: (mail: Mail) => void;
  /** Those to be tried now, oldest first. */
  readonly due: (limit: number) => readonly StoredMail[];
  /** The mail server has it, or nobody wants it any more: its secret goes. */
  readonly remove: (id: number) => void;
  /** Tries again at `at`, ms since 1970. */
  readonly postpone: (id: number, at: number) => void;
  /** Forgets mails whose links are long too old; answers how many. */
  readonly sweep: () => number;
  /** Newest first, for one's own machine. */
  readonly newest: (limit: number) => readonly StoredMail[];
}

const toMail = ({ id, recipient, subject, text, created_at, attempts }: Row): StoredMail => ({
  id,
  to: recipient,
  subject,
  text,
  attempts,
  createdAt: created_at,
});

/** ms; what could not be sent by then says nothing any more. */
const KEPT_MS = 86_400_000;

export function createMailOutbox(db: Db, now: () => number = Date.now): MailOutbox {
  const insert = db.prepare(
    'INSERT INTO mail (recipient, subject, text, created_at, next_at) VALUES (@to, @subject, @text, @at, @at)',
  );
  const due = db.prepare<[number, number], Row>(
    'SELECT * FROM mail WHERE next_at <= ? ORDER BY next_at, id LIMIT ?',
  );
  const newest = db.prepare<[number], Row>('SELECT * FROM mail ORDER BY id DESC LIMIT ?');
  const remove = db.prepare('DELETE FROM mail WHERE id = ?');
  const postpone = db.prepare('UPDATE mail SET attempts = attempts + 1, next_at = ? WHERE id = ?');
  const sweep = db.prepare('DELETE FROM mail WHERE created_at <= ?');
  return {
    sweep: () => sweep.run(now() - KEPT_MS).changes,
    add: (mail) => void insert.run({ ...mail, at: now() }),
    due: (limit) => due.all(now(), limit).map(toMail),
    remove: (id) => void remove.run(id),
    postpone: (id, at) => void postpone.run(at, id),
    newest: (limit) => newest.all(limit).map(toMail),
  };
}
