import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { createEndedSessions, createSharedEndedSessions, type EndedSessions } from './backChannelLogout.ts';

const DAY = 24 * 3_600_000;
let at: number;
const now = () => at;
const session = (sid: string | undefined, subject = 'u1', signedInAt = at - 1000) => ({
  sid,
  subject,
  signedInAt,
});
const endSession = (id: string, sid: string) => ({ id, sid, subject: 'u1' });
const endAccount = (id: string, subject: string) => ({ id, sid: undefined, subject });

beforeEach(() => {
  at = 1_800_000_000_000;
});

/** What both stores promise. */
function behavesAsStore(open: () => EndedSessions): void {
  let ended: EndedSessions;
  beforeEach(() => {
    ended = open();
  });
  afterEach(() => ended.close());

  it('has the session of a token that names session and account, and no other of the account', async () => {
    expect(await ended.has(session('a1'))).toBe(false);
    expect(await ended.end(endSession('t1', 'a1'))).toBe(true);
    expect(await ended.has(session('a1'))).toBe(true);
    expect(await ended.has(session('a2'))).toBe(false);
    expect(await ended.has(session(undefined))).toBe(false);
  });

  it('has all sessions that an account had when it was signed out', async () => {
    await ended.end(endAccount('t2', 'u2'));
    expect(await ended.has(session('b1', 'u2'))).toBe(true);
    expect(await ended.has(session(undefined, 'u2'))).toBe(true);
    expect(await ended.has(session('b1', 'u1'))).toBe(false);
    expect(await ended.has(session('b2', 'u2', at + 1))).toBe(false);
  });

  it('tells a session from an account of the same name', async () => {
    await ended.end(endSession('t3', 'same'));
    expect(await ended.has(session('c1', 'same'))).toBe(false);
    await ended.end(endAccount('t4', 'other'));
    expect(await ended.has(session('other', 'u3'))).toBe(false);
  });

  it('accepts a token once, also when several arrive at the same time', async () => {
    const accepted = await Promise.all([1, 2, 3].map(() => ended.end(endAccount('t5', 'u5'))));
    expect(accepted.filter(Boolean)).toHaveLength(1);
    at += 5000;
    expect(await ended.end(endAccount('t5', 'u5'))).toBe(false);
    expect(await ended.has(session('d1', 'u5'))).toBe(false);
    expect(await ended.end(endAccount('t6', 'u5'))).toBe(true);
    expect(await ended.has(session('d1', 'u5'))).toBe(true);
  });

  it('remembers an ended session for as long as its cookie could be used', async () => {
    await ended.end(endSession('t7', 'e1'));
    at += 13.9 * DAY;
    expect(await ended.has(session('e1'))).toBe(true);
    at += 0.2 * DAY;
    expect(await ended.has(session('e1'))).toBe(false);
  });
}

describe('ended sessions in memory', () => behavesAsStore(() => createEndedSessions(now)));

const programs = findPostgres();
if (!programs) it.skip('skipped: no PostgreSQL', () => undefined);
else
  describe('ended sessions in PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(programs);
    });
    afterAll(() => server.stop());

    describe('of one shell', () => {
      behavesAsStore(() => createSharedEndedSessions(server.url, now));
    });

    it('are known to every shell at once, also to one that starts later, and after a crash of the database', async () => {
      const [one, two] = [1, 2].map(() => createSharedEndedSessions(server.url, now));
      expect(await two!.has(session('f1'))).toBe(false);
      await one!.end(endSession('t8', 'f1'));
      expect(await two!.has(session('f1'))).toBe(true);
      expect(await two!.end(endSession('t8', 'f1'))).toBe(false);
      await server.crash();
      await expect(one!.has(session('f1'))).rejects.toThrow();
      await server.start();
      await expect(one!.has(session('f1'))).rejects.toThrow('a moment ago');
      at += 1000;
      const three = createSharedEndedSessions(server.url, now);
      expect(await Promise.all([one, two, three].map((each) => each!.has(session('f1'))))).toEqual([
        true,
        true,
        true,
      ]);
      await Promise.all([one, two, three].map((each) => each!.close()));
    });
  });
