import { describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { patientSql } from './patientSql.ts';
import { DatabaseUnavailableError, type Sql } from './sql.ts';

/** A database that is away until `isThere`, and counts attempts. */
function standIn() {
  const state = { isThere: false, attempts: 0 };
  const attempt = <T>(value: T) => {
    state.attempts += 1;
    return state.isThere ? Promise.resolve(value) : Promise.reject(new DatabaseUnavailableError('away'));
  };
  const sql: Sql = {
    all: <Row>() => attempt<Row[]>([]),
    get: <Row>() => attempt<Row | undefined>(undefined),
    run: () => attempt(1),
    transaction: (work) => work(),
    inTurn: (_, work) => work(),
    analyze: () => Promise.resolve(),
    isAvailable: () => Promise.resolve(state.isThere),
    close: () => Promise.resolve(),
  };
  return { state, sql };
}

describe('a patient database', () => {
  it('repeats a read until the database is back', async () => {
    const { state, sql } = standIn();
    const reading = patientSql(sql, { pauseMs: 5 }).all('SELECT 1');
    await wait(30);
    state.isThere = true;
    expect(await reading).toEqual([]);
    expect(state.attempts).toBeGreaterThan(2);
  });

  it('fails a read at once when the outage lasts longer than visitors wait, until the database was back', async () => {
    const { state, sql } = standIn();
    const patient = patientSql(sql, { patienceMs: 40, pauseMs: 5 });
    await expect(patient.get('SELECT 1')).rejects.toThrow('away');
    const { attempts } = state;
    await expect(patient.get('SELECT 1')).rejects.toThrow('away');
    expect(state.attempts).toBe(attempts + 1);
    state.isThere = true;
    await patient.get('SELECT 1');
    state.isThere = false;
    await expect(patient.get('SELECT 1')).rejects.toThrow('away');
    expect(state.attempts).toBeGreaterThan(attempts + 4);
  });

  it.each([
    ['a write', (sql: Sql) => sql.run('DELETE FROM seat')],
    ['a write that returns a row', (sql: Sql) => sql.get('INSERT INTO seat DEFAULT VALUES RETURNING id')],
    ['a read of a transaction', (sql: Sql) => sql.transaction(() => sql.get('SELECT 1'))],
    ['a read in turn', (sql: Sql) => sql.inTurn('seats', () => sql.all('SELECT 1'))],
  ])('does not repeat %s', async (_, work) => {
    const { state, sql } = standIn();
    await expect(work(patientSql(sql, { pauseMs: 1 }))).rejects.toThrow('away');
    expect(state.attempts).toBe(1);
  });

  it('passes other errors on', async () => {
    const { sql } = standIn();
    const all = () => Promise.reject(new Error('syntax'));
    await expect(patientSql({ ...sql, all }).all('SELECT')).rejects.toThrow('syntax');
  });
});
