import { join } from 'node:path';
import { REPOSITORY } from '@forecourt/local';
import { openPostgres } from '@forecourt/service-kit/postgres';
import type { Sql } from '@forecourt/service-kit/sql';
import { type Finding, reported, required } from '../proof.ts';

/** Of the tables of what people entered. */
export const MIGRATIONS = join(REPOSITORY, 'infra/services/marketplace-api/src/community/people/migrations');

/** The tables of what people entered. */
export const openPeopleTables = (url: string): Promise<Sql> =>
  openPostgres({ url, schema: 'people', migrations: MIGRATIONS });

/** Every acknowledged lead must be stored once, with one email. */
export async function compareLeads(sql: Sql, acknowledged: readonly string[]): Promise<Finding[]> {
  const stored = await sql.all<{ idempotency_key: string }>('SELECT idempotency_key FROM leads');
  const keys = new Set(stored.map((row) => row.idempotency_key));
  const lost = acknowledged.filter((key) => !keys.has(key));
  const emails = await sql.get<{ n: number; leads: number }>(
    `SELECT count(*) AS n, count(DISTINCT dedupe_key) AS leads FROM mails WHERE kind = 'lead'`,
  );
  return [
    reported('Acknowledged writes', acknowledged.length),
    required('Acknowledged writes that are lost', lost.length, '0', lost.length === 0),
    required('Leads stored twice', stored.length - keys.size, '0', stored.length === keys.size),
    required(
      'Leads with exactly one email',
      `${emails!.leads} of ${stored.length}`,
      'all',
      emails!.n === stored.length && emails!.leads === stored.length,
    ),
  ];
}
