import { createHash, randomBytes } from 'node:crypto';
import { mailboxOf } from '@forecourt/service-kit/mailbox';
import type { Sql } from '@forecourt/service-kit/sql';

export type MailKind =
  | 'lead'
  | 'share'
  | 'alert-confirm'
  | 'alert-welcome'
  | 'alert-digest'
  | 'capture-confirm'
  | 'capture-welcome'
  | 'report';
export const DAY_MS = 86_400_000;

interface Budget {
  readonly kinds: readonly MailKind[];
  readonly days: number;
  readonly perMailbox: number;
  readonly perAccount?: number;
}

/** Emails that people cause for mailboxes that need not be theirs. No window is longer than the retention of copies. */
const BUDGETS: readonly Budget[] = [
  { kinds: ['alert-confirm', 'capture-confirm'], days: 1, perMailbox: 3, perAccount: 20 },
  { kinds: ['alert-confirm', 'capture-confirm'], days: 30, perMailbox: 9, perAccount: 100 },
  { kinds: ['share'], days: 1, perMailbox: 3, perAccount: 20 },
  { kinds: ['share'], days: 30, perMailbox: 10, perAccount: 100 },
];

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Key of the mailbox behind an address, for budgets and refusals. Hashed, because a refusal is stored without the address. */
export const mailboxKey = (address: string): string => hashOf(`mailbox ${mailboxOf(address)}`);

/** The key until providers were told apart: dots were ignored at every domain. Refusals under it stay in effect. */
function earlierMailboxKey(address: string): string {
  const [local = '', host = ''] = address
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .split(/@(?=[^@]*$)/);
  const plain = local.replace(/\+.*$/, '').replaceAll('.', '') || local;
  return hashOf(`${plain}@${host}`);
}

/** Who gets no email: mailboxes that declined or bounced, and what is over a budget. */
export function createMailRules(sql: Sql, now: () => number) {
  async function count(
    column: 'mailbox' | 'account',
    value: string,
    { kinds, days }: Budget,
  ): Promise<number> {
    const row = await sql.get<{ n: number }>(
      `SELECT count(*) AS n FROM mails WHERE ${column} = ? AND kind IN (${kinds.map(() => '?').join(', ')})
       AND created_at > ?`,
      value,
      ...kinds,
      now() - days * DAY_MS,
    );
    return row!.n;
  }
  async function isOver(budget: Budget, mailbox: string, account: string | undefined): Promise<boolean> {
    const { perMailbox, perAccount } = budget;
    if ((await count('mailbox', mailbox, budget)) >= perMailbox) return true;
    if (account === undefined || perAccount === undefined) return false;
    return (await count('account', account, budget)) >= perAccount;
  }
  async function tokenFor(address: string): Promise<string> {
    const mailbox = mailboxKey(address);
    await sql.run(
      'INSERT INTO mailboxes (mailbox, token) VALUES (?, ?) ON CONFLICT DO NOTHING',
      mailbox,
      randomBytes(24).toString('base64url'),
    );
    const text = 'SELECT token FROM mailboxes WHERE mailbox = ?';
    return (await sql.get<{ token: string }>(text, mailbox))!.token;
  }
  return {
    async isRefused(address: string): Promise<boolean> {
      const text = 'SELECT 1 FROM mailboxes WHERE mailbox IN (?, ?) AND refusal IS NOT NULL';
      return (await sql.get(text, mailboxKey(address), earlierMailboxKey(address))) !== undefined;
    },
    async isOverBudget(kind: MailKind, mailbox: string, account: string | undefined): Promise<boolean> {
      for (const budget of BUDGETS)
        if (budget.kinds.includes(kind) && (await isOver(budget, mailbox, account))) return true;
      return false;
    },
    optOutToken: tokenFor,
    hasToken: async (token: string) =>
      (await sql.get('SELECT 1 FROM mailboxes WHERE token = ?', token)) !== undefined,
    declineByToken: async (token: string) =>
      (await sql.run(
        `UPDATE mailboxes SET refusal = 'declined', refused_at = ? WHERE token = ?`,
        now(),
        token,
      )) > 0,
    async suppress(address: string, reason: 'declined' | 'bounced') {
      await tokenFor(address);
      await sql.run(
        'UPDATE mailboxes SET refusal = ?, refused_at = ? WHERE mailbox = ?',
        reason,
        now(),
        mailboxKey(address),
      );
    },
    async unsuppress(address: string) {
      await sql.run(
        'UPDATE mailboxes SET refusal = NULL, refused_at = NULL WHERE mailbox IN (?, ?)',
        mailboxKey(address),
        earlierMailboxKey(address),
      );
    },
  };
}
