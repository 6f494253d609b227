import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import { crawl } from '@forecourt/harness/crawl';
import { F150_NEAR_CHICAGO, getPage, unescapeHtml } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import { expectValidHtml } from './pageChecks.ts';

const get = (path: string, headers?: Record<string, string>) => getPage(shellOrigin() + path, headers);

describe('a search URL', () => {
  const oneStep = [
    ['another order', '/cars-for-sale/all/ford/f150?zip=60601&searchRadius=50', F150_NEAR_CHICAGO],
    [
      'codes instead of names in the path',
      '/cars-for-sale/all-cars?zip=60601&modelCode=F150&makeCode=FORD&searchRadius=50',
      F150_NEAR_CHICAGO,
    ],
    [
      'legacy makes and models, and dropped parameters',
      '/cars-for-sale/all-cars?modelCode1=F150&makeCode1=FORD&lastExec=1&mmt=x&zip=60601&searchRadius=50',
      F150_NEAR_CHICAGO,
    ],
    [
      'empty parameters',
      '/cars-for-sale/all/ford/f150?maxPrice=&searchRadius=50&zip=60601',
      F150_NEAR_CHICAGO,
    ],
  ] as const;
  for (const [name, from, to] of oneStep)
    // rows: B7-URL-02
    it(`redirects once with 301 to normalize ${name}`, async () => {
      const first = await get(from);
      assert.equal(first.status, 301);
      assert.equal(first.headers.get('location'), to);
      assert.equal((await get(to)).status, 200);
    });

  it('keeps unknown parameters at the end of the search URL', async () => {
    const { status, headers } = await get(
      '/cars-for-sale/all/ford/f150?utm_source=a&zip=60601&searchRadius=50',
    );
    assert.equal(status, 301);
    assert.equal(headers.get('location'), `${F150_NEAR_CHICAGO}&utm_source=a`);
  });

  it('returns 404 with links to other searches for an unknown make', async () => {
    const { status, html } = await get('/cars-for-sale/all/fjord/f150');
    assert.equal(status, 404);
    assert.match(html, /href="\/cars-for-sale\/all-cars"/);
  });
});

describe("the server's HTML", () => {
  it('serves valid HTML', async () => {
    const { html } = await get(F150_NEAR_CHICAGO);
    await expectValidHtml(html);
  });

  it('loads nothing from other origins, nothing without integrity, and runs inline code by its hash only', async () => {
    const { html, headers } = await get(F150_NEAR_CHICAGO);
    for (const [tag] of html.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*>/g)) {
      const url = /(?:src|href)="([^"]*)"/.exec(tag)?.[1];
      if (url === undefined || url.startsWith('data:')) continue;
      assert.equal(new URL(unescapeHtml(url), shellOrigin()).origin, shellOrigin(), tag);
      if (/^<script|as="script"|rel="stylesheet"/.test(tag)) assert.match(tag, /integrity="sha384-/, tag);
    }
    const policy = headers.get('content-security-policy') ?? '';
    const scriptSource = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
    assert.match(scriptSource, /^(?:'sha256-[\w+/=]{44}' ){2}'strict-dynamic'$/);
    for (const [, attributes = '', code = ''] of html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)) {
      if (/type="application\/(?:ld\+)?json"/.test(attributes)) continue;
      const hash = createHash('sha256').update(code).digest('base64');
      assert.ok(scriptSource.includes(`'sha256-${hash}'`), code.slice(0, 80));
    }
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline|\*/);
  });

  it('renders one h1, one main and unique ids', async () => {
    const { html } = await get(F150_NEAR_CHICAGO);
    assert.equal(html.match(/<h1\b/g)?.length, 1);
    assert.equal(html.match(/<main\b/g)?.length, 1);
    // Content in noscript is a fallback copy.
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
    assert.deepEqual(twice, []);
  });
});

describe('a crawl from the home page', () => {
  it('meets no redirect, error or duplicate title in 300 internal links', async () => {
    const { paths, problems } = await crawl(shellOrigin(), { limit: 300 });
    assert.deepEqual(problems, []);
    assert.equal(paths.size, 300);
  });
});
