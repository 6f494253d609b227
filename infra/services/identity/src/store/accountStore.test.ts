import { expect, it } from '@jest/globals';
import { openDatabase } from '@forecourt/service-kit/database';
import { personalDataTable } from '@forecourt/service-kit/personalData';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IDENTITY_DATA, MIGRATIONS } from './accountStore.ts';

const DOC = readFileSync(join(import.meta.dirname, '../../../../docs/personal-data.md'), 'utf8');

it('the inventory of personal data describes every table and column, and is the one in the docs', () => {
  const db = openDatabase(':memory:', { durability: 'normal', migrations: MIGRATIONS });
  expect(DOC.replaceAll(/ {2,}|-{4,}/g, (text) => text[0]!.repeat(text[0] === '-' ? 3 : 1))).toContain(
    personalDataTable(db, IDENTITY_DATA),
  );
  db.close();
});
