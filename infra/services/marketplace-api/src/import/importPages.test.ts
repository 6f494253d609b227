import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { createFeedRuns } from '../store/importLog.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../testing/testApp.ts';
import type { ImportDetails } from './reporting.ts';

const PASSWORD = 'a password of operators';
const SIGNED_IN = { Authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` };
const COUNTS = {
  read: 12_000,
  accepted: 11_998,
  rejected: 2,
  inserted: 40,
  updated: 60,
  unchanged: 11_898,
  expired: 0,
  held: 900,
  photos: 300,
};

let app: TestApp;
let changes: unknown[];
const start = async (options: Partial<TestAppOptions> = {}) => {
  app = await startTestApp(
    { owners: [], listings: [] },
    {
      isLocal: false,
      operatorPassword: PASSWORD,
      imports: { feeds: () => ['lakeside'], change: (...change) => void changes.push(change) },
      ...options,
    },
  );
};
beforeEach(() => {
  changes = [];
});
afterEach(() => app.stop());

const runs = () => createFeedRuns(app.db, () => Date.UTC(2026, 10, 1, 9, 30));
const record = (source: string, details: Partial<ImportDetails> = {}, status: 'held' | 'imported' = 'held') =>
  runs().begin(source)(
    status,
    '12,000 rows read in 2.0 s.\nHELD: 900 listings are missing <from> the feed.',
    JSON.stringify({ seconds: 2, counts: COUNTS, rejects: [], ...details }),
  );
const idOf = (source: string) => runs().list(source)[0]!.id;
const html = async (path: string) => await (await app.get(path, SIGNED_IN)).text();
const problemsOf = async (text: string) => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:a11y'],
    rules: { 'no-inline-style': 'off' },
  });
  const { results } = await validator.validateString(text);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
};

describe('the pages about imports', () => {
  it('show counts, rate, report and refused rows, as text', async () => {
    await start();
    const reason = `price '<script>alert(1)</script>' is not an amount`;
    record('lakeside', { rejects: [{ line: 17, reason }] });
    const text = await html(`/operators/imports/${idOf('lakeside')}`);
    expect(text).toContain('<dt>Rows per second</dt><dd>6,000</dd>');
    expect(text).toContain('<dt>Refused</dt><dd>2</dd>');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('missing &lt;from&gt; the feed');
    expect(text).not.toContain('<script');
  });

  it('are valid HTML for every outcome of an import', async () => {
    await start();
    expect(await problemsOf(await html('/operators/imports'))).toEqual([]);
    record('lakeside', { rejects: [{ line: 17, reason: "price 'x' is not an amount" }] });
    record('lakeside');
    runs().begin('hillside')('failed', 'hillside.csv responded with 500');
    runs().begin('riverside');
    for (const path of ['lakeside', 'hillside', 'riverside'].map((source) => `/${idOf(source)}`))
      expect([path, await problemsOf(await html(`/operators/imports${path}`))]).toEqual([path, []]);
    expect(await problemsOf(await html('/operators/imports'))).toEqual([]);
  });

  it('list the newest import of each source with its status', async () => {
    await start();
    record('lakeside');
    runs().begin('riverside');
    const text = await html('/operators/imports');
    expect(text).toMatch(/lakeside<\/a>.*Held.*2026-11-01 09:30 UTC.*12,000 rows read/);
    expect(text).toMatch(/riverside<\/a>.*Running or interrupted/);
  });

  it('offer to approve only what is held of a configured feed, and to undo only the newest import', async () => {
    await start();
    record('lakeside');
    record('lakeside');
    record('by-hand');
    const [newest, older] = runs().list('lakeside');
    const actions = async (id: number) =>
      [
        ...(await html(`/operators/imports/${id}`)).matchAll(/action="\/operators\/imports\/(\d+\/\w+)"/g),
      ].map(([, action]) => action);
    expect(await actions(newest!.id)).toEqual([`${newest!.id}/approve`, `${newest!.id}/undo`]);
    expect(await actions(older!.id)).toEqual([]);
    expect(await actions(idOf('by-hand'))).toEqual([`${idOf('by-hand')}/undo`]);
  });

  it('start the change of a button, and lead back to the list', async () => {
    await start();
    record('lakeside');
    const post = (action: string, headers: Record<string, string>) =>
      fetch(`${app.origin}/operators/imports/${idOf('lakeside')}/${action}`, {
        method: 'POST',
        redirect: 'manual',
        headers,
      });
    const own = { ...SIGNED_IN, 'Sec-Fetch-Site': 'same-origin' };
    for (const action of ['approve', 'undo']) {
      const response = await post(action, own);
      expect([response.status, response.headers.get('location')]).toEqual([303, '/operators/imports']);
    }
    expect(changes).toEqual([
      ['approve', 'lakeside'],
      ['undo', 'lakeside'],
    ]);
    expect((await post('undo', SIGNED_IN)).status).toBe(403);
    expect((await post('undo', { ...SIGNED_IN, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post('undo', { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
    expect(changes).toHaveLength(2);
  });

  it('ask for the password, and are not stored by any cache', async () => {
    await start();
    const asked = await app.get('/operators/imports');
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="Imports", charset="UTF-8"',
    ]);
    for (const wrong of ['', 'ada', 'ada:', `ada:${PASSWORD}x`])
      expect(
        (
          await app.get('/operators/imports', {
            Authorization: `Basic ${Buffer.from(wrong).toString('base64')}`,
          })
        ).status,
      ).toBe(401);
    const shown = await app.get('/operators/imports', SIGNED_IN);
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await app.get('/operators/imports/77', SIGNED_IN)).status).toBe(404);
  });

  it('do not exist without a password, except in local mode', async () => {
    await start({ operatorPassword: undefined });
    expect((await app.get('/operators/imports')).status).toBe(404);
    await app.stop();
    await start({ operatorPassword: undefined, isLocal: true });
    expect((await app.get('/operators/imports')).status).toBe(200);
  });
});
