import { afterEach, describe, expect, it } from '@jest/globals';
import type { BootData } from '../universal/bootData.ts';
import { liveReleases } from '../rendering/testing/tinyRelease.ts';
import { LIBRARY_PLACEMENTS } from '../testing/libraryPlan.ts';
import { startLibrary, type LibraryRig } from '../testing/startLibrary.ts';

const FRAME = '/frames/reviews/mfe-reviews/1.0.0';
const CSS = '.of-reviews{}</style>';

let shell: LibraryRig;
afterEach(() => shell.stop());

/** Releases of which each slot has a script and a style of its own. */
function releases() {
  const live = new Map(liveReleases(LIBRARY_PLACEMENTS));
  for (const [name, { live: release }] of live) {
    const { manifest } = release;
    const slots = Object.entries(manifest.slots).map(([slot, declaration]) => [
      slot,
      {
        ...declaration,
        reads: ['session', 'shelf.sort', 'shelf.entries'],
        scripts: [`web/${slot}.js`],
        styles: [`web/${slot}.css`],
      },
    ]);
    const files = Object.keys(manifest.slots).flatMap((slot) => [`web/${slot}.js`, `web/${slot}.css`]);
    const file = { integrity: `sha384-${'C'.repeat(64)}`, bytes: 1 };
    live.set(name, {
      live: {
        ...release,
        webFiles: new Map(files.map((path) => [path, Buffer.from(CSS)])),
        manifest: {
          ...manifest,
          slots: Object.fromEntries(slots) as typeof manifest.slots,
          files: Object.fromEntries(files.map((path) => [path, file])),
        },
      },
    });
  }
  return live;
}

const start = async (framed: string) => {
  shell = await startLibrary({ environment: { FRAMED_SLOTS: framed }, live: releases() });
};

async function page() {
  const { text } = await shell.send('/library/shelf');
  const json = /<script type="application\/json" id="fc-boot"[^>]*>(.*?)<\/script>/.exec(text)?.[1] ?? '';
  return { html: text, boot: JSON.parse(json) as BootData };
}

describe('a page with a slot in a frame', () => {
  it('contains its HTML and styles in an inert shadow root, and none of its files', async () => {
    await start('reviews');
    const { html, boot } = await page();
    const shadow =
      /data-slot="reviews"[^>]*><div style="contain:content" inert><div><template shadowrootmode="open">(.*?)<p>reviews<\/p><\/template><\/div><\/div><\/div>/;
    const styles = shadow.exec(html)?.[1] ?? '';
    expect(
      [...styles.matchAll(/<link rel="stylesheet" href="([^"]+)" integrity="sha384-/g)].map(
        ([, href]) => href,
      ),
    ).toEqual([
      '/assets/abc123/shell.css',
      '/assets/abc123/later.css',
      '/remotes/mfe-reviews/1.0.0/web/reviews.css',
    ]);
    expect(html.replace(shadow, '')).not.toContain('/remotes/mfe-reviews/');
    expect(boot.remotes.map(({ name }) => name)).not.toContain('mfe-reviews');
    expect(boot.slots.find(({ slot }) => slot === 'reviews')).toMatchObject({
      remote: 'mfe-reviews',
      styles: [],
      scripts: [],
      // Without the entries, which the layout does not let it read.
      frame: { version: '1.0.0', reads: ['session', 'shelf.sort'], maxHeight: 1200 },
    });
  });

  it('loads the remote for its other slots', async () => {
    await start('toolbar');
    const { html, boot } = await page();
    expect(boot.remotes.map(({ name }) => name)).toContain('mfe-catalog');
    expect(html).toContain('/remotes/mfe-catalog/1.0.0/web/filters.js');
    expect(html.replace(/<template shadowrootmode="open">.*?<\/template>/, '')).not.toMatch(
      /toolbar\.(?:js|css)"[^:]/,
    );
  });

  it('is as before without such a slot', async () => {
    await start('');
    const { html, boot } = await page();
    expect(html).toMatch(/data-slot="reviews" class="fc-slot"[^>]*><p>reviews<\/p><\/div>/);
    expect(boot.slots.some(({ frame }) => frame)).toBe(false);
    expect((await shell.send(FRAME)).status).toBe(404);
  });
});

describe('the document of a frame', () => {
  it('has the files of its release with integrity, and a policy for nothing else', async () => {
    await start('reviews');
    const { status, headers, text } = await shell.send(FRAME, {
      headers: { Host: 'www.example', Cookie: 'consumer_id=7' },
    });
    expect(status).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
    expect(
      String(headers['content-security-policy'])
        .replace(/'sha256-[^']+'/, "'hash'")
        .split('; '),
    ).toEqual([
      'sandbox allow-scripts',
      "default-src 'none'",
      'script-src http://www.example/assets/abc123/ http://www.example/remotes/mfe-reviews/1.0.0/web/',
      "style-src 'hash' http://www.example/remotes/mfe-reviews/1.0.0/web/",
      "style-src-attr 'unsafe-inline'",
      'img-src http://www.example data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types forecourt forecourt#early forecourt#entry shell#webpack mfe-reviews#webpack mfe-reviews#scripts',
    ]);
    expect(text.match(/<script[^>]*src[^>]*>/g)).toEqual([
      `<script defer src="/assets/abc123/shell.js" integrity="sha384-${'A'.repeat(64)}" crossorigin="anonymous">`,
    ]);
    expect(text).toContain('<title>Reviews</title>');
    expect(text).toContain('href="/remotes/mfe-reviews/1.0.0/web/reviews.css" integrity="sha384-C');
    const json = /id="fc-frame">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({
      slot: 'reviews',
      expose: './reviews',
      scripts: ['/remotes/mfe-reviews/1.0.0/web/reviews.js'],
      remote: { name: 'mfe-reviews', version: '1.0.0' },
    });
  });

  it.each([
    '/frames/shelf/mfe-shelf/1.0.0',
    '/frames/reviews/mfe-shelf/1.0.0',
    '/frames/reviews/mfe-reviews/2.0.0',
    '/frames/constructor/mfe-reviews/1.0.0',
  ])('does not exist for what the layout does not frame: %s', async (path) => {
    await start('reviews');
    expect((await shell.send(path)).status).toBe(404);
  });
});
