import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as openId from 'openid-client';
import { fillIn, form, PASSWORD, redeem, signUp } from '../testing/flows.ts';
import { SHOP, startIdentity, type IdentityRig, type Visitor } from '../testing/identityRig.ts';
import { openFile } from '../store/accountStore.ts';
import { newPasswordSchema } from './credentials.ts';

const NEW_PASSWORD = 'five other words about boats';
let people = 0;
const newAddress = () => `reader${(people += 1)}@example.com`;

let rig: IdentityRig;
beforeAll(async () => {
  rig = await startIdentity();
});
afterAll(() => rig.stop());

async function signIn(visitor: Visitor, email: string, password: string) {
  const visit = await visitor.begin();
  return {
    visit,
    response: await visitor.post(`${visit.base}/sign-in`, form(visit, { email, password })),
  };
}
/** A new account in two browsers; `token` refreshes the session of the second. */
async function signInTwice() {
  const email = newAddress();
  const visitor = rig.visitor();
  await signUp(rig, visitor, email);
  const elsewhere = rig.visitor();
  const { visit: other, response } = await signIn(elsewhere, email, PASSWORD);
  const { refresh_token: token = '' } = await redeem(rig, await rig.toShop(elsewhere, response), other);
  return { email, visitor, elsewhere, token };
}

const isRefused = async (email: string, password: string) =>
  (await signIn(rig.visitor(), email, password)).response.status === 422;
const countLinks = () => rig.sql.get('SELECT count(*) AS n FROM link');

/** Requests a new password and follows the emailed link. */
async function forget(email: string) {
  const visitor = rig.visitor();
  const visit = await visitor.begin({ brand: 'kbb' });
  const response = await visitor.post(`${visit.base}/forgot`, form(visit, { email }));
  return { response, mail: await rig.mailTo(email), visit };
}

describe('sign-up by mail', () => {
  it('shows the same sign-up page for a taken address and mails its owner', async () => {
    const takenAddress = newAddress();
    await signUp(rig, rig.visitor(), takenAddress);
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const submit = (email: string) =>
      visitor.post(
        `${visit.base}/sign-up`,
        form(visit, { name: 'Eve', email, password: 'another long secret' }),
      );
    const free = newAddress();
    const [one, other] = [await submit(takenAddress.toUpperCase()), await submit(free)];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.text.replace(takenAddress.toUpperCase(), free)).toBe(other.text);
    expect(await rig.mailTo(takenAddress)).toMatchObject({
      subject: 'You already have an account | Forecourt',
      link: `${SHOP}/account/sign-in`,
    });
    expect(await isRefused(free, 'another long secret')).toBe(true);
  });

  it('confirms a sign-up once, when the form is submitted; opening the link changes nothing', async () => {
    const email = newAddress();
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    await visitor.post(`${visit.base}/sign-up`, form(visit, { name: 'Ada', email, password: PASSWORD }));
    const { link } = await rig.mailTo(email);
    expect((await visitor.get(link)).text).toContain('Confirm and sign in');
    expect(await isRefused(email, PASSWORD)).toBe(true);
    await rig.toShop(visitor, await fillIn(visitor, link));
    expect(await isRefused(email, PASSWORD)).toBe(false);
    expect((await visitor.get(link)).status).toBe(410);
  });

  it('requires the password when a sign-up is confirmed in another browser', async () => {
    const email = newAddress();
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    await visitor.post(`${visit.base}/sign-up`, form(visit, { name: 'Eve', email, password: PASSWORD }));
    const { link } = await rig.mailTo(email);
    const reader = rig.visitor();
    expect((await fillIn(reader, link, { password: 'not the password' })).status).toBe(422);
    expect(await isRefused(email, PASSWORD)).toBe(true);
    expect((await fillIn(reader, link, { password: PASSWORD })).text).toContain('Your account is ready');
    expect(await isRefused(email, PASSWORD)).toBe(false);
  });

  it('expires a confirmation link after an hour and never stores its secret', async () => {
    const email = newAddress();
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    await visitor.post(`${visit.base}/sign-up`, form(visit, { name: 'Ada', email, password: PASSWORD }));
    const { link } = await rig.mailTo(email);
    const rows = JSON.stringify(await rig.sql.all('SELECT * FROM link'));
    expect(rows).not.toContain(link.split('/').at(-1));
    expect(rows).not.toContain(PASSWORD);
    await rig.sql.run('UPDATE link SET expires_at = ?', Date.now());
    expect((await visitor.get(link)).status).toBe(410);
  });
});

describe('password reset', () => {
  it('responds the same to a password reset for any address and mails only its owner', async () => {
    const email = newAddress();
    await signUp(rig, rig.visitor(), email);
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const submit = (address: string) => visitor.post(`${visit.base}/forgot`, form(visit, { email: address }));
    const unknown = newAddress();
    const [one, other] = [await submit(email), await submit(unknown)];
    expect(one.status).toBe(200);
    expect(one.text.replace(email, unknown)).toBe(other.text);
    expect((await rig.mailTo(email)).subject).toMatch(/^Choose a new password/);
    expect((await rig.mailTo(unknown)).subject).toMatch(/^There is no account/);
  });

  it('sets the password once by the mailed link and signs out every browser', async () => {
    const email = newAddress();
    const visitor = rig.visitor();
    const { visit, callback } = await signUp(rig, visitor, email);
    const { refresh_token: token = '' } = await redeem(rig, callback, visit);
    const { mail } = await forget(email);
    const weak = await fillIn(visitor, mail.link, { password: 'short' });
    expect(weak.status).toBe(422);
    expect(weak.text).toContain('Use at least 10 characters');
    const done = await fillIn(visitor, mail.link, { password: NEW_PASSWORD });
    expect(done.text).toContain('Your password was changed');
    expect(await isRefused(email, PASSWORD)).toBe(true);
    expect(await isRefused(email, NEW_PASSWORD)).toBe(false);
    await expect(openId.refreshTokenGrant(await rig.client(), token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await visitor.begin()).page).toContain('<h1>Sign in</h1>');
    expect((await visitor.get(mail.link)).status).toBe(410);
  });

  it('invalidates all reset links of an address when one is used', async () => {
    const email = newAddress();
    await signUp(rig, rig.visitor(), email);
    const before = await countLinks();
    const [first, second] = [(await forget(email)).mail.link, (await forget(email)).mail.link];
    await fillIn(rig.visitor(), second, { password: NEW_PASSWORD });
    expect((await rig.visitor().get(first)).status).toBe(410);
    expect(await countLinks()).toEqual(before);
  });

  it('rejects forms from another site or without the page’s token', async () => {
    const email = newAddress();
    await signUp(rig, rig.visitor(), email);
    const { mail } = await forget(email);
    const visitor = rig.visitor();
    expect((await visitor.post(mail.link, { password: NEW_PASSWORD })).status).toBe(403);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await visitor.get(mail.link)).text)?.[1] ?? '';
    const response = await visitor.post(
      mail.link,
      { csrf, password: NEW_PASSWORD },
      { origin: 'https://evil.example' },
    );
    expect(response.status).toBe(403);
    expect(await isRefused(email, PASSWORD)).toBe(false);
  });

  it('limits the mails sent to one mailbox, whatever the variant of its address', async () => {
    const strict = await startIdentity({
      limits: { perClient: 50, perAddress: 30, perAddressEverywhere: 60, windowMs: 60_000, mailsPerDay: 3 },
    });
    const visitor = strict.visitor();
    const visit = await visitor.begin();
    const statuses = [];
    const variants = ['ada@gmail.com', 'A.da@gmail.com', 'ada+1@googlemail.com', 'a.d.a+2@gmail.com'];
    for (const email of [...variants, 'ada@example.com', 'a.da@example.com'])
      statuses.push((await visitor.post(`${visit.base}/forgot`, form(visit, { email }))).status);
    expect(statuses).toEqual([200, 200, 200, 429, 200, 200]);
    await strict.stop();
  });
});

describe('a new password', () => {
  const isAccepted = (password: string) => newPasswordSchema.safeParse({ password }).success;
  const common = readFileSync(join(import.meta.dirname, 'commonPasswords.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ') && line !== '#');

  it('rejects the most common passwords, also in capitals', () => {
    const long = common.filter(({ length }) => length >= 10);
    expect([common.length > 11_000, long.length > 1_500]).toEqual([true, true]);
    expect(long.filter((password) => isAccepted(password) || isAccepted(password.toUpperCase()))).toEqual([]);
  });

  it('rejects common words padded with digits or signs', () => {
    const words = common.slice(0, 3_000).filter((word) => /^[a-z].*[a-z]$/.test(word));
    expect(words.length).toBeGreaterThan(1_500);
    const lengthened = words.flatMap((word) => [
      `${word}1234567890`,
      `!!!!!!!!!!${word}`,
      `2024 ${word} 2024!`,
    ]);
    expect(lengthened.filter(isAccepted)).toEqual([]);
  });

  it.each(['forecourt2026', 'Forecourt!!', 'ForecourtValues1'])(
    'is not the name of the site: %s',
    (password) => {
      expect(isAccepted(password)).toBe(false);
    },
  );

  it.each(['four words about cars', 'dragonfly on the pond', 'kanasu-vireo', 'x'.repeat(199) + 'y'])(
    'may be %s, without digits or signs',
    (password) => {
      expect(isAccepted(password)).toBe(true);
    },
  );
});

describe('password change', () => {
  it('requires the old password to change it, keeps this browser signed in and signs out the others', async () => {
    const { email, visitor, elsewhere, token } = await signInTwice();

    const visit = await visitor.begin({ prompt: 'password' });
    expect(visit.page).toContain('<h1>Change your password</h1>');
    const change = (current: string) =>
      visitor.post(`${visit.base}/change-password`, form(visit, { current, password: NEW_PASSWORD }));
    const wrong = await change('not the password');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('This password is incorrect');
    const tokens = await redeem(rig, await rig.toShop(visitor, await change(PASSWORD)), visit);
    expect(tokens.claims()).toMatchObject({ email });
    await openId.refreshTokenGrant(await rig.client(), tokens.refresh_token ?? '');

    await expect(openId.refreshTokenGrant(await rig.client(), token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await elsewhere.begin()).page).toContain('<h1>Sign in</h1>');
    expect(await isRefused(email, PASSWORD)).toBe(true);
  });

  it('requires sign-in before a password change', async () => {
    const email = newAddress();
    await signUp(rig, rig.visitor(), email);
    const visitor = rig.visitor();
    const visit = await visitor.begin({ prompt: 'password' });
    expect(visit.page).toContain('<h1>Sign in</h1>');
    let response = await visitor.post(`${visit.base}/sign-in`, form(visit, { email, password: PASSWORD }));
    while (response.location) response = await visitor.get(response.location);
    expect(response.text).toContain('<h1>Change your password</h1>');
  });
});

describe('deletion of an account', () => {
  it('requires the password, ends all sessions and frees the address', async () => {
    const { email, visitor, token } = await signInTwice();

    const visit = await visitor.begin({ prompt: 'delete' });
    expect(visit.page).toContain('<h1>Delete your account</h1>');
    const remove = (current: string) =>
      visitor.post(`${visit.base}/delete-account`, form(visit, { current }));
    expect((await remove('not the password')).text).toContain('This password is incorrect');
    await openId.refreshTokenGrant(await rig.client(), token);
    expect((await remove(PASSWORD)).text).toContain('Your account is deleted');

    await expect(openId.refreshTokenGrant(await rig.client(), token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await visitor.begin()).page).toContain('<h1>Sign in</h1>');
    expect(await isRefused(email, PASSWORD)).toBe(true);
    await signUp(rig, rig.visitor(), email);
    expect(await isRefused(email, PASSWORD)).toBe(false);
  });
});

describe('an operator', () => {
  let directory: string;
  let own: IdentityRig;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'identity-command-'));
    own = await startIdentity({ databases: [openFile(join(directory, 'identity.sqlite'))] });
  });
  afterAll(async () => {
    await own.stop();
    rmSync(directory, { recursive: true });
  });
  /** Runs the command beside the running service; its exit status and output. */
  const command = (...words: string[]) => commandIn({ LOCAL_MODE: 'true' }, ...words);
  function commandIn(environment: Record<string, string>, ...words: string[]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../accountCommand.ts'), ...words],
      { env: { DATA_DIR: directory, NODE_NO_WARNINGS: '1', ...environment }, encoding: 'utf8' },
    );
    return { status, output: stdout + stderr };
  }
  async function signedUp(email: string) {
    const visitor = own.visitor();
    const { visit, callback } = await signUp(own, visitor, email);
    const token = (await redeem(own, callback, visit)).refresh_token ?? '';
    const isActive = async () => (await openId.tokenIntrospection(await own.client(), token)).active;
    return { visitor, isActive };
  }
  async function canSignIn(email: string) {
    const visitor = own.visitor();
    const visit = await visitor.begin();
    const fields = form(visit, { email, password: PASSWORD });
    return (await visitor.post(`${visit.base}/sign-in`, fields)).status === 303;
  }

  it('ends all sessions of an account, which can sign in again', async () => {
    const [ada, bob] = [await signedUp('ada@example.com'), await signedUp('bob@example.com')];
    expect(command('sign-out', 'Ada@example.com')).toEqual({
      status: 0,
      output: 'sign-out: done, 1 sessions ended\n',
    });
    expect([await ada.isActive(), await bob.isActive()]).toEqual([false, true]);
    expect((await ada.visitor.begin()).page).toContain('<h1>Sign in</h1>');
    expect(await canSignIn('ada@example.com')).toBe(true);
  });

  it('disables an account: its sessions end, and its password, a new one and a sign-up are in vain', async () => {
    const email = 'cyd@example.com';
    const { visitor, isActive } = await signedUp(email);
    expect(command('disable', email).status).toBe(0);
    expect(await isActive()).toBe(false);
    expect((await visitor.begin()).page).toContain('<h1>Sign in</h1>');
    expect(await canSignIn(email)).toBe(false);
    const visit = await visitor.begin({ prompt: 'create' });
    const again = form(visit, { name: 'Cyd', email, password: PASSWORD });
    expect((await visitor.post(`${visit.base}/sign-up`, again)).text).toContain('Check your email');
    const forgot = await visitor.begin();
    await visitor.post(`${forgot.base}/forgot`, form(forgot, { email }));
    await fillIn(visitor, (await own.mailTo(email)).link, { password: PASSWORD });
    expect(await canSignIn(email)).toBe(false);
    expect(command('enable', email).status).toBe(0);
    expect(await canSignIn(email)).toBe(true);
  });

  it('says in one line what its configuration lacks', () => {
    const { status, output } = commandIn({}, 'disable', 'ada@example.com');
    expect(status).toBe(1);
    expect(output).toMatch(/^account: configuration: OIDC_CLIENTS\.shell\.secret: .*\n$/);
  });

  it('is told about an unknown address and a wrong command', () => {
    expect(command('disable', 'nobody@example.com')).toEqual({
      status: 1,
      output: 'no account has this address\n',
    });
    expect(command('remove', 'ada@example.com')).toMatchObject({ status: 2 });
  });
});

describe('pages', () => {
  it('uses the brand named by the shop, and the default brand for unknown names', async () => {
    const { page } = await rig.visitor().begin({ brand: 'kbb' });
    expect(page).toContain('data-brand="kbb"');
    expect(page).toContain('Forecourt Values');
    expect((await rig.visitor().begin({ brand: '"><script>' })).page).toContain('data-brand="atc"');
    const email = newAddress();
    await signUp(rig, rig.visitor(), email);
    const { mail } = await forget(email);
    expect(mail.subject).toBe('Choose a new password | Forecourt Values');
    expect((await rig.visitor().get(mail.link)).text).toContain('data-brand="kbb"');
  });

  it('shows outgoing mails with their links in local mode', async () => {
    const email = newAddress();
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const { text } = await visitor.post(
      `${visit.base}/sign-up`,
      form(visit, { name: 'Ada', email, password: PASSWORD }),
    );
    expect(text).toContain('href="/outbox"');
    const { link } = await rig.mailTo(email);
    expect((await visitor.get('/outbox')).text).toContain(`<a href="${link}">`);
  });

  it('shows each email with made-up content in local mode', async () => {
    const visitor = rig.visitor();
    const { text } = await visitor.get('/emails');
    for (const name of ['signUp', 'knownAddress', 'reset', 'unknownAddress']) {
      expect(text).toContain(`src="emails/${name}"`);
      expect((await visitor.get(`/emails/${name}`)).text).toMatch(/<h1 [^>]*>[A-Z][^<]+<\/h1>/);
    }
  });
});
