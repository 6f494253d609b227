import { MAKE_OFFER_VERSION } from '@forecourt/upstream/agreements';
import { CALLS } from '@forecourt/upstream/calls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CertifiedContent } from '../../domain/callTypes.ts';
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDealerPageFolder, DealerPagesUnavailable } from './dealerPages.ts';
import { certifiedProductOf } from '../listings/badges.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { demoContent, type TestApp, startTestApp } from '../../testing/testApp.ts';
import { sanitizeHtml } from '@forecourt/upstream/richText';

const HARMFUL = /<(script|iframe|svg|math|form|style|object|!--)|\son\w+=|style=|javascript:|src="\/[/\\]/i;

const CERTIFIED = '/content/static/json/atc/cpo/certifiedcontent.json';

describe('content', () => {
  let app: TestApp;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dealer-diff-'));
    const owners = [
      anOwner({ tagline: 'No <b>fees</b>', homeServices: ['HOME_DELIVERY'] }),
      anOwner({ id: 'o2', tagline: 'Own words' }),
      anOwner({ id: 'o3' }),
    ];
    app = await startTestApp(
      { owners, listings: [aListing()] },
      { dealerPages: createDealerPageFolder(folder) },
    );
  });
  afterEach(async () => {
    await app.stop();
    rmSync(folder, { recursive: true });
  });

  // rows: B7-CERT-01, B3-CERT-01
  it('returns a certified program for every make and for third parties', async () => {
    const programs = (await app.json(CERTIFIED)) as CertifiedContent[];
    // What pages draw of the HTML.
    for (const program of CALLS.certifiedContent.response.parse(programs))
      expect(program.content.map((node) => (typeof node === 'string' ? node : node.tag))).toEqual([
        'p',
        'ul',
      ]);
    expect(programs.map(({ makeCode }) => makeCode).sort()).toEqual(
      [...demoContent.catalog.makes.map(({ code }) => code), '3P_CERT'].sort(),
    );
    for (const program of programs) expect(Object.values(program).every(Boolean)).toBe(true);
    const { cpoTile, content } = programs.find(({ makeCode }) => makeCode === 'FORD') as CertifiedContent;
    expect(content).toMatch(/^<p>[^<]*Ford Certified[^<]*<\/p><ul>/);
    // As many points as the manufacturer's pages say.
    expect(content).toContain('172-point inspection');
    expect((await app.get(cpoTile)).headers.get('content-type')).toContain('image/svg+xml');
    // Listings name the same products.
    const products = programs.map(({ productId }) => productId);
    for (const listingType of ['CERTIFIED', '3P_CERT'] as const)
      expect(products).toContain(certifiedProductOf(aListing({ listingType })));
  });

  // rows: B7-CERT-02
  it("returns a program's sponsor with an inspectionLink that the schema strips", async () => {
    const sponsor = await app.json('/content/static/json/atc/cpo/sponsor/FORD_CERTIFIED.json');
    expect(sponsor).toMatchObject({ productId: 'FORD_CERTIFIED', inspectionLink: expect.any(String) });
    expect(CALLS.certifiedSponsor.response.unwrap().parse(sponsor)).not.toHaveProperty('inspectionLink');
    expect((await app.get('/content/static/json/atc/cpo/sponsor/NOBODY.json')).status).toBe(404);
  });

  // rows: B7-DIFF-01, B3-OWNER-02
  it('returns the dealer difference as JSON and as sanitized HTML', async () => {
    expect(CALLS.dealerDiff.response.unwrap().parse(await app.json('/content/dealer_diff/o1.json'))).toEqual({
      cta: { label: 'Visit Lake Motors', offsite: true, link: 'https://dealer.test' },
      logo: expect.stringMatching(/^\/pictures\/logos\//),
    });
    const html = await app.get('/content/dealer_diff/o1.html');
    expect(html.headers.get('content-type')).toContain('text/html');
    const text = await html.text();
    expect(text).toContain('No &lt;b&gt;fees&lt;/b&gt;');
    expect(text).toContain('Delivery to your door');
    for (const kind of ['json', 'html']) {
      expect((await app.get(`/content/dealer_diff/o3.${kind}`)).status).toBe(404);
      expect((await app.get(`/content/dealer_diff/nobody.${kind}`)).status).toBe(404);
    }
  });

  it("prefers a dealer's own HTML, sanitized, over the default text", async () => {
    const own =
      '<h1>Us</h1><script>alert(1)</script><p onclick="x()" style="position:fixed">Hi <a href="javascript:x()">a</a> <a href="https://x.example">b</a></p>';
    mkdirSync(join(folder, 'content/dealer_diff'), { recursive: true });
    writeFileSync(join(folder, 'content/dealer_diff/o2.html'), own);
    expect(await (await app.get('/content/dealer_diff/o2.html')).text()).toBe(
      '<h3>Us</h3><p>Hi <a>a</a> <a href="https://x.example" target="_blank" rel="noopener noreferrer nofollow">b</a></p>',
    );
  });

  it('returns 503 instead of the default text, which would be cached, while the storage of own HTML is away', async () => {
    const read = () => Promise.reject(new DealerPagesUnavailable('no storage'));
    const stock = { owners: [anOwner({ tagline: 'Own words' })], listings: [aListing()] };
    const away = await startTestApp(stock, { dealerPages: { read } });
    const html = await away.get('/content/dealer_diff/o1.html');
    expect([html.status, html.headers.get('cache-control'), html.headers.get('retry-after')]).toEqual([
      503,
      'no-store',
      '30',
    ]);
    await away.stop();
  });

  it('removes scripts and event handlers from arbitrary HTML', () => {
    const pieces = fc.constantFrom(
      '<script>',
      '</script>',
      '<img src=x onerror=alert(1)>',
      '<iframe src="//evil">',
      '<svg onload=a()>',
      '<a href="java\tscript:a()">',
      '<p style="x">',
      '<form>',
      '<style>',
      '<!--',
      '-->',
      '<img src="/\\evil.example/x">',
      'text',
      '"',
      '<math><mi>',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const clean = sanitizeHtml(parts.join(''));
        // Parsing the output again must not reintroduce unsafe markup (mutation XSS).
        for (const html of [clean, sanitizeHtml(clean)]) expect(html).not.toMatch(HARMFUL);
      }),
    );
  });

  // rows: A7-OFFER-01
  it('serves the make-offer script at its versioned URL only, as immutable', async () => {
    const script = await app.get(`/static/make-offer/${MAKE_OFFER_VERSION}/make-offer.js`);
    expect(script.headers.get('content-type')).toContain('javascript');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(await script.text()).toContain("customElements.define('make-offer-modal'");
    expect((await app.get('/static/make-offer/0.0.1/make-offer.js')).status).toBe(404);
  });
});
