import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { createFeedRuns } from '../store/importLog.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../testing/testApp.ts';
import type { Preview, PreviewSample } from './preview.ts';
import type { ImportDetails } from './reporting.ts';

const PASSWORD = 'a password of operators';
const SIGNED_IN = { Authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` };
const COUNTS = {
  read: 12_000,
  accepted: 11_998,
  rejected: 2,
  filtered: 0,
  merged: 0,
  inserted: 40,
  updated: 60,
  unchanged: 11_898,
  expired: 0,
  held: 900,
  photos: 300,
};

let app: TestApp;
let changes: unknown[];
let preview: Preview | undefined;
const start = async (options: Partial<TestAppOptions> = {}) => {
  app = await startTestApp(
    { owners: [], listings: [] },
    {
      isLocal: false,
      operatorPassword: PASSWORD,
      imports: {
        feeds: () => ['lakeside'],
        preview: () => Promise.resolve(preview),
        change: (...change) => void changes.push(change),
      },
      ...options,
    },
  );
};
beforeEach(() => {
  changes = [];
  preview = undefined;
});
afterEach(() => app.stop());

const runs = () => createFeedRuns(app.db, () => Date.UTC(2026, 10, 1, 9, 30));
const record = async (
  source: string,
  details: Partial<ImportDetails> = {},
  status: 'held' | 'imported' = 'held',
) =>
  (await runs().begin(source))(
    status,
    '12,000 rows read in 2.0 s.\nHELD: 900 listings are missing <from> the feed.',
    JSON.stringify({ seconds: 2, counts: COUNTS, rejects: [], ...details }),
  );
const idOf = async (source: string) => (await runs().list(source))[0]!.id;
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
    await record('lakeside', { rejects: [{ line: 17, reason }] });
    const text = await html(`/operators/imports/${await idOf('lakeside')}`);
    expect(text).toContain('<dt>Rows per second</dt><dd>6,000</dd>');
    expect(text).toContain('<dt>Refused</dt><dd>2</dd>');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('missing &lt;from&gt; the feed');
    expect(text).not.toContain('<script');
  });

  it('show what was left out with a remedy, also as CSV and JSON', async () => {
    await start();
    const findings = [
      { field: 'price', kind: 'missing' as const, count: 12, rows: [{ line: 3, text: '<Call>' }] },
    ];
    await record('lakeside', { findings, leftOut: [{ reason: "status 'SOLD'", count: 7 }] });
    const id = await idOf('lakeside');
    const text = await html(`/operators/imports/${id}`);
    expect(text).toMatch(/price is missing; listed without<\/th><td>12<\/td><td>line 3: &lt;Call&gt;<\/td>/);
    expect(text).toContain('status &#39;SOLD&#39;: 7');
    expect(await problemsOf(text)).toEqual([]);
    const csv = await app.get(`/operators/imports/${id}.csv`, SIGNED_IN);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(await csv.text()).toContain('missing,price,12,3,<Call>,Fill in the column.\n');
    const json = await app.get(`/operators/imports/${id}.json`, SIGNED_IN);
    expect(await json.json()).toMatchObject({ findings, counts: COUNTS });
    expect((await app.get(`/operators/imports/${id}.xml`, SIGNED_IN)).status).toBe(404);
  });

  it('are valid HTML for every outcome of an import', async () => {
    await start();
    expect(await problemsOf(await html('/operators/imports'))).toEqual([]);
    await record('lakeside', { rejects: [{ line: 17, reason: "price 'x' is not an amount" }] });
    await record('lakeside');
    await (
      await runs().begin('hillside')
    )('failed', 'hillside.csv responded with 500');
    await runs().begin('riverside');
    for (const source of ['lakeside', 'hillside', 'riverside']) {
      const path = `/operators/imports/${await idOf(source)}`;
      expect([path, await problemsOf(await html(path))]).toEqual([path, []]);
    }
    expect(await problemsOf(await html('/operators/imports'))).toEqual([]);
  });

  it('list the newest import of each source with its status', async () => {
    await start();
    await record('lakeside');
    await runs().begin('riverside');
    const text = await html('/operators/imports');
    expect(text).toMatch(/lakeside<\/a>.*Held.*2026-11-01 09:30 UTC.*12,000 rows read/);
    expect(text).toMatch(/riverside<\/a>.*Running or interrupted/);
  });

  it('offer to approve only what is held of a configured feed, and to undo only the newest import', async () => {
    await start();
    await record('lakeside');
    await record('lakeside');
    await record('by-hand');
    const [newest, older] = await runs().list('lakeside');
    const actions = async (id: number) =>
      [
        ...(await html(`/operators/imports/${id}`)).matchAll(/action="\/operators\/imports\/(\d+\/\w+)"/g),
      ].map(([, action]) => action);
    expect(await actions(newest!.id)).toEqual([`${newest!.id}/approve`, `${newest!.id}/undo`]);
    expect(await actions(older!.id)).toEqual([]);
    const byHand = await idOf('by-hand');
    expect(await actions(byHand)).toEqual([`${byHand}/undo`]);
  });

  it('start the change of a button, and lead back to the list', async () => {
    await start();
    await record('lakeside');
    const post = async (action: string, headers: Record<string, string>) =>
      fetch(`${app.origin}/operators/imports/${await idOf('lakeside')}/${action}`, {
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

describe('the preview of a feed', () => {
  const sample = (changes: Partial<PreviewSample> = {}): PreviewSample => ({
    name: '2021 Ford <F-150>',
    vin: '1FTFW1E50MFA00001',
    facts: [{ label: 'Price', text: '38,000' }],
    changes: [],
    ...changes,
  });
  const read = (samples: Partial<Record<'inserted' | 'updated' | 'missing', PreviewSample[]>>): Preview => ({
    startedAt: Date.UTC(2026, 10, 1, 9, 30),
    result: {
      kind: 'read',
      report: 'Would be: 40 inserted.',
      details: {
        seconds: 2,
        counts: COUNTS,
        rejects: [{ line: 17, reason: "price 'x' is not an amount" }],
        leftOut: [],
        findings: [],
      },
      photoHosts: ['photos.example'],
      samples: { inserted: [], updated: [], missing: [], ...samples },
      columns: [
        { name: 'Cost <now>', sample: '38,000', fields: [{ field: 'price', sure: 0.98 }] },
        { name: 'Notes', sample: '', fields: [] },
      ],
    },
  });
  const PAGE = '/operators/imports/feeds/lakeside';

  it('is offered for each configured feed, also for one that was never imported', async () => {
    await start();
    expect(await html('/operators/imports')).toContain(`<a href="${PAGE}">Preview lakeside</a>`);
    const text = await html(PAGE);
    expect(text).toContain(`action="${PAGE}/preview"`);
    expect(text).not.toContain(`action="${PAGE}/import"`);
    expect((await app.get('/operators/imports/feeds/other', SIGNED_IN)).status).toBe(404);
  });

  it('shows samples of new, changed and missing listings, refused rows, and photos of allowed hosts', async () => {
    await start();
    const photo = 'https://photos.example/1.jpg?a=1&b=2';
    preview = read({
      inserted: [sample({ photo })],
      updated: [sample({ changes: [{ label: 'Price', before: '39,500' }] })],
      missing: [sample({ name: 'sold' })],
    });
    const response = await app.get(PAGE, SIGNED_IN);
    expect(response.headers.get('content-security-policy')).toContain('; img-src photos.example');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await response.text();
    expect(text).toContain('40 new listings, of which these are the first 1');
    expect(text).toContain('<img src="https://photos.example/1.jpg?a=1&amp;b=2"');
    expect(text).toContain('Price: <del>39,500</del> <ins>38,000</ins>');
    expect(text).toContain('900 listings that the feed no longer contains');
    expect(text).toContain('price &#39;x&#39; is not an amount');
    expect(text).toContain('2021 Ford &lt;F-150&gt;');
    expect(text).toContain('Cost &lt;now&gt;</th><td>38,000</td><td>price (98 %)</td>');
    expect(text).toContain(`action="${PAGE}/import"`);
  });

  it('is valid HTML while it runs, after it failed, and with samples', async () => {
    await start();
    const startedAt = 0;
    const failed = { kind: 'failed' as const, reason: 'lakeside.csv responded with <500>', columns: [] };
    const changes = [{ label: 'Other facts', before: 'different' }];
    for (const one of [
      undefined,
      { startedAt },
      { startedAt, result: failed },
      read({ updated: [sample({ changes })] }),
    ]) {
      preview = one;
      expect(await problemsOf(await html(PAGE))).toEqual([]);
    }
    preview = { startedAt, result: failed };
    const text = await html(PAGE);
    expect(text).toContain('responded with &lt;500&gt;');
    expect(text).not.toContain(`action="${PAGE}/import"`);
  });

  it('shows a proposed mapping with what it lacks, and saves it by a button', async () => {
    await start();
    const result = {
      kind: 'proposed' as const,
      mapping: '{ "source": "lakeside", "fields": { "vin": "<VIN>" } }\n',
      path: '/feeds/lakeside.map.json',
      isComplete: true,
      notes: ['mileage: no column found; please add one or a constant'],
      columns: [{ name: '<VIN>', sample: '1FTFW1E50MFA00001', fields: [{ field: 'vin', sure: 1 }] }],
    };
    preview = { startedAt: Date.UTC(2026, 10, 1), result };
    const text = await html(PAGE);
    expect(text).toContain('<code>/feeds/lakeside.map.json</code> does not exist');
    expect(text).toContain('&quot;vin&quot;: &quot;&lt;VIN&gt;&quot;');
    expect(text).toContain('mileage: no column found');
    expect(text).toContain(`action="${PAGE}/mapping"`);
    expect(await problemsOf(text)).toEqual([]);
    const saved = await fetch(`${app.origin}${PAGE}/mapping`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...SIGNED_IN, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(saved.headers.get('location')).toBe(PAGE);
    expect(changes).toEqual([['mapping', 'lakeside']]);

    preview = { startedAt: 0, result: { ...result, isComplete: false, problem: 'It is read-only.' } };
    const incomplete = await html(PAGE);
    expect(incomplete).toContain('It is read-only.');
    expect(incomplete).not.toContain(`action="${PAGE}/mapping"`);
  });

  it('starts from its own page only, and so does an import', async () => {
    await start();
    const post = (path: string, headers: Record<string, string>) =>
      fetch(app.origin + path, { method: 'POST', redirect: 'manual', headers });
    const own = { ...SIGNED_IN, 'Sec-Fetch-Site': 'same-origin' };
    expect((await post(`${PAGE}/preview`, own)).headers.get('location')).toBe(PAGE);
    expect((await post(`${PAGE}/import`, own)).headers.get('location')).toBe('/operators/imports');
    expect((await post(`${PAGE}/import`, { ...SIGNED_IN, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post(`${PAGE}/preview`, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
    expect((await post('/operators/imports/feeds/other/import', own)).status).toBe(404);
    expect(changes).toEqual([
      ['preview', 'lakeside'],
      ['import', 'lakeside'],
    ]);
  });

  it('leaves the list of imports readable when the file of feeds is broken', async () => {
    const feeds = () => {
      throw new Error('feeds.json is not a valid list of feeds');
    };
    await start({ imports: { feeds } });
    const text = await html('/operators/imports');
    expect(text).toContain('feeds.json is not a valid list of feeds');
  });
});
