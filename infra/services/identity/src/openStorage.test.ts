import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sql } from '@forecourt/service-kit/sql';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import * as openId from 'openid-client';
import { pino } from 'pino';
import { createMailOutbox, createMailSender } from './mail/outbox.ts';
import { createAdapterFactory, createEndSessions } from './oidc/storage.ts';
import { createAccountStore, createLinks, openFile } from './store/accountStore.ts';
import { openStorage, prepareStorage } from './openStorage.ts';
import { fillIn, form, PASSWORD, redeem, signUp } from './testing/flows.ts';
import { type IdentityRig, startIdentity } from './testing/identityRig.ts';

const bin = findPostgres();
let server: PostgresServer;
let folder: string;
const configFor = (directory: string) => ({
  DATABASE_URL: `${server.url}?connections=4`,
  DATA_DIR: directory,
});
const openReplica = async (): Promise<Sql> =>
  (await openStorage(configFor(join(folder, 'keys')), () => undefined)).sql;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replicas-'));
  if (!bin) return;
  server = await startPostgres(bin);
  await prepareStorage(configFor(join(folder, 'keys')));
}, 60_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});
if (!bin) it.skip('skipped: no PostgreSQL', () => undefined);

/** Opens the same data twice, as two replicas do. A file has one process. */
const engines = {
  SQLite: () => {
    const sql = openFile(join(folder, 'identity.sqlite'));
    return Promise.resolve([sql, sql] as const);
  },
  PostgreSQL: async () => [await openReplica(), await openReplica()] as const,
};
const names = (['SQLite', ...(bin ? (['PostgreSQL'] as const) : [])] as const).map((name) => [name] as const);

describe.each(names)('the stores over %s', (engine) => {
  let [one, other]: readonly Sql[] = [];
  let at = 1_800_000_000_000;
  const now = () => at;
  beforeAll(async () => {
    [one, other] = await engines[engine]();
  });
  afterAll(async () => {
    await one!.close();
    await other!.close();
  });

  it('find accounts in any case, add an address once, and change passwords', async () => {
    const [here, there] = [createAccountStore(one!), createAccountStore(other!)];
    const fields = { email: 'Ada@Example.com', name: 'Ada', passwordHash: 'hash' };
    const added = await Promise.all([here.add(fields), there.add({ ...fields, email: 'ada@example.com' })]);
    expect(added.filter(Boolean)).toHaveLength(1);
    const { id } = added.find(Boolean)!;
    await there.setPassword(id, 'new');
    expect(await here.byEmail('ADA@example.com')).toMatchObject({ id, passwordHash: 'new' });
    expect(await here.byId('unknown')).toBeUndefined();
  });

  it('let one of two requests use a link, and none after an hour', async () => {
    const [here, there] = [createLinks(one!, now), createLinks(other!, now)];
    const secret = await here.issue('reset', 'ada@example.com', { accountId: '1' });
    expect(await there.find('reset', secret)).toEqual({ accountId: '1' });
    expect(await there.find('sign-up', secret)).toBeUndefined();
    const uses = [here, there].map((links, index) =>
      [one, other][index]!.transaction(() => links.use('reset', secret)),
    );
    expect((await Promise.all(uses)).sort()).toEqual([false, true]);
    const late = await here.issue('reset', 'ada@example.com', {});
    at += 3_600_000;
    expect(await there.find('reset', late)).toBeUndefined();
    expect(await here.sweep()).toBe(1);
  });

  it('send each mail once with two senders, and again when its sender died', async () => {
    const [here, there] = [createMailOutbox(one!, now), createMailOutbox(other!, now)];
    const subjects = Array.from({ length: 12 }, (_, index) => `Mail ${index}`);
    for (const subject of subjects) await here.add({ to: 'ada@example.com', subject, text: '' });
    const sent: string[] = [];
    const senders = [here, there].map((outbox) =>
      createMailSender({
        outbox,
        send: async ({ subject }) => void sent.push(subject),
        now,
        logger: pino({ level: 'silent' }),
      }),
    );
    await Promise.all(senders.map((sender) => sender.sendDue()));
    expect(sent.sort()).toEqual(subjects.sort());

    await here.add({ to: 'ada@example.com', subject: 'Half sent', text: '' });
    const [mail] = await here.due(1);
    expect(await here.claim(mail!, at + 120_000)).toBe(true);
    expect(await there.claim(mail!, at + 120_000)).toBe(false);
    expect(await senders[1]!.sendDue()).toBe(0);
    at += 120_000;
    expect(await senders[1]!.sendDue()).toBe(1);
    expect(await here.newest(10)).toEqual([]);
  });

  it('keep what the protocol stores until it expires, and end all of an account but one session', async () => {
    const [here, there] = [createAdapterFactory(one!), createAdapterFactory(other!)];
    const sessions = here('Session');
    for (const uid of ['u1', 'u2'])
      await sessions.upsert(`s-${uid}`, { accountId: 'ada', uid, jti: uid }, 3600);
    await sessions.upsert('s-u3', { accountId: 'bob', uid: 'u3' }, 3600);
    await here('RefreshToken').upsert('t', { accountId: 'ada', grantId: 'g' }, 3600);
    await here('AccessToken').upsert('old', { accountId: 'ada' }, -1);
    expect(await there('AccessToken').find('old')).toBeUndefined();
    expect(await there('Session').findByUid('u1')).toMatchObject({ accountId: 'ada', jti: 'u1' });
    await there('RefreshToken').consume('t');
    expect(await here('RefreshToken').find('t')).toMatchObject({ consumed: expect.any(Number) });
    await createEndSessions(other!)('ada', 'u2');
    const left = await Promise.all(['s-u1', 's-u2', 's-u3'].map((id) => sessions.find(id)));
    expect(left.map((session) => session?.uid)).toEqual([undefined, 'u2', 'u3']);
    expect(await here('RefreshToken').find('t')).toBeUndefined();
  });
});

(bin ? describe : describe.skip)('two replicas over PostgreSQL', () => {
  let rig: IdentityRig;
  beforeAll(async () => {
    rig = await startIdentity({ databases: [await openReplica(), await openReplica()] });
  });
  afterAll(() => rig.stop());

  it('share sign-up, sign-in, tokens and a new password, with each request at another replica', async () => {
    const visitor = rig.visitor();
    const { visit, callback } = await signUp(rig, visitor, 'ada@replicas.example');
    const tokens = await redeem(rig, callback, visit);
    expect(tokens.claims()).toMatchObject({ email: 'ada@replicas.example' });
    const { refresh_token: token = '' } = await openId.refreshTokenGrant(
      await rig.client(),
      tokens.refresh_token ?? '',
    );
    const forgetful = rig.visitor();
    const again = await forgetful.begin();
    await forgetful.post(`${again.base}/forgot`, form(again, { email: 'ada@replicas.example' }));
    await fillIn(forgetful, (await rig.mailTo('ada@replicas.example')).link, { password: `new ${PASSWORD}` });
    await expect(
      openId.refreshTokenGrant(await rig.client(), token || (tokens.refresh_token ?? '')),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('count attempts together, so that a client gets no further ones at another replica', async () => {
    const strict = await startIdentity({
      limits: { perClient: 50, perAddress: 3, perAddressEverywhere: 50, windowMs: 60_000, mailsPerDay: 100 },
      databases: [await openReplica(), await openReplica()],
    });
    const visitor = strict.visitor();
    const visit = await visitor.begin();
    const attempt = async (email: string) =>
      (await visitor.post(`${visit.base}/sign-in`, form(visit, { email, password: 'wrong' }))).status;
    const statuses = [];
    for (let count = 0; count < 5; count++) statuses.push(await attempt('eve@replicas.example'));
    expect(statuses).toEqual([422, 422, 422, 429, 429]);
    expect(await attempt('other@replicas.example')).toBe(422);
    await strict.stop();
  });

  it('stay ready after the database restarted, and keep who signed up', async () => {
    await signUp(rig, rig.visitor(), 'bob@replicas.example');
    await server.restart();
    for (const _ of [1, 2]) expect((await rig.visitor().get('/health/ready')).status).toBe(200);
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const fields = form(visit, { email: 'bob@replicas.example', password: PASSWORD });
    expect(await rig.toShop(visitor, await visitor.post(`${visit.base}/sign-in`, fields))).toBeDefined();
  });

  it('do not start without the keys that others sign with, nor leave accounts in a file behind', async () => {
    const empty = join(folder, 'empty');
    await expect(openStorage(configFor(empty), () => undefined)).rejects.toThrow('identity-keys.json');
    const old = mkdtempSync(join(folder, 'old-'));
    writeFileSync(join(old, 'identity.sqlite'), '');
    await expect(prepareStorage(configFor(old))).rejects.toThrow('--copy');
    expect(existsSync(join(old, 'identity-keys.json'))).toBe(false);
    expect(await prepareStorage(configFor(old), 'leave')).toBe(7);
  });

  it('take over the accounts and sessions of a file, once', async () => {
    const own = await startPostgres(bin!);
    const old = mkdtempSync(join(folder, 'old-'));
    const file = openFile(join(old, 'identity.sqlite'));
    const fields = { email: 'old@example.com', name: 'Old', passwordHash: 'hash' };
    const account = await createAccountStore(file).add(fields);
    await createAdapterFactory(file)('Session').upsert('s', { accountId: account!.id, uid: 'u' }, 3600);
    await createMailOutbox(file).add({ to: 'old@example.com', subject: 'Hello', text: '' });
    await file.close();

    const config = { ...configFor(old), DATABASE_URL: own.url };
    await prepareStorage(config, 'copy');
    await expect(prepareStorage(config, 'copy')).rejects.toThrow('has rows already; nothing was copied');
    const { sql } = await openStorage(config, () => undefined);
    expect(await createAccountStore(sql).byEmail('OLD@example.com')).toMatchObject({ id: account!.id });
    expect(await createAdapterFactory(sql)('Session').findByUid('u')).toMatchObject({
      accountId: account!.id,
    });
    await createMailOutbox(sql).add({ to: 'old@example.com', subject: 'Again', text: '' });
    expect(await createMailOutbox(sql).newest(10)).toHaveLength(2);
    await sql.close();
    await own.stop();
  }, 30_000);
});
