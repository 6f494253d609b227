import { afterEach, describe, expect, it } from '@jest/globals';
import type { Db } from '@forecourt/service-kit/database';
import { createSqliteSql } from '@forecourt/service-kit/sqlite';
import { personalDataTable } from '@forecourt/service-kit/personalData';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACTIVITY_DATA, openActivityDatabase } from '../activity/activityStore.ts';
import { createPeople, openPeopleDatabase } from './people.ts';
import { PEOPLE_DATA } from './retention.ts';

const DAY_MS = 86_400_000;
const DOC = readFileSync(join(import.meta.dirname, '../../../../../docs/personal-data.md'), 'utf8');

let db: Db;
afterEach(() => void db.close());

describe('the inventory of personal data', () => {
  it.each([
    ['people.sqlite', openPeopleDatabase, PEOPLE_DATA],
    ['activity.sqlite', openActivityDatabase, ACTIVITY_DATA],
  ] as const)('describes every table and column of %s, and is the one in the docs', (_, open, inventory) => {
    db = open(':memory:');
    expect(DOC.replaceAll(/ {2,}|-{4,}/g, (text) => text[0]!.repeat(text[0] === '-' ? 3 : 1))).toContain(
      personalDataTable(db, inventory),
    );
  });

  it('is refused when a table or column is not described, or is gone', () => {
    db = openPeopleDatabase(':memory:');
    const { leads: _, ...others } = PEOPLE_DATA;
    db.exec('ALTER TABLE devices ADD COLUMN birthday TEXT');
    expect(() => personalDataTable(db, { ...others, diaries: 'none' })).toThrow(
      /: diaries, devices\.birthday, leads$/,
    );
  });
});

describe('retention', () => {
  it('deletes what was kept long enough, and nothing earlier', async () => {
    let time = Date.UTC(2026, 0, 1);
    db = openPeopleDatabase(':memory:');
    const people = createPeople(createSqliteSql(db), () => time);
    await people.captures.add(
      { email: 'ada@example.com', brand: 'atc', isVerified: true },
      ({ unsubscribeToken }) => people.captures.endByToken(unsubscribeToken),
    );
    await people.profiles.save(
      { account: 'ada', consumer: undefined } as Parameters<typeof people.profiles.save>[0],
      { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '' } as never,
    );
    const sweptAfter = async (days: number) => {
      time = Date.UTC(2026, 0, 1) + days * DAY_MS;
      return people.sweep();
    };
    const swept = [];
    for (const days of [89, 90, 364, 365]) swept.push(await sweptAfter(days));
    expect(swept).toEqual([0, 1, 0, 1]);
  });
});
