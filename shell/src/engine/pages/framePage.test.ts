import { afterEach, describe, expect, it } from '@jest/globals';
import type { BootData } from '../universal/bootData.ts';
import { ALL_PLACEMENTS } from '../../marketplace/layouts.ts';
import { liveReleases } from '../rendering/testing/tinyRelease.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const FRAME = '/frames/showcase/mfe-showcase/1.0.0';
const CSS = '.of-showcase{}</style>';

let shell: ShellRig;
afterEach(() => shell.stop());

/** Releases of which each slot has a script and a style of its own. */
function releases() {
  const live = new Map(liveReleases(ALL_PLACEMENTS));
  for (const [name, { live: release }] of live) {
    const { manifest } = release;
    const slots = Object.entries(manifest.slots).map(([slot, declaration]) => [
      slot,
      {
        ...declaration,
        reads: ['session', 'search.alpha', 'search.listings'],
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
  shell = await startShell({ environment: { FRAMED_SLOTS: framed }, live: releases() });
};

async function page() {
  const { text } = await shell.send('/cars-for-sale/all-cars');
  const json = /<script type="application\/json" id="fc-boot"[^>]*>(.*?)<\/script>/.exec(text)?.[1] ?? '';
  return { html: text, boot: JSON.parse(json) as BootData };
}

describe('a page with a slot in a frame', () => {
  it('contains its HTML and styles in a shadow root, and none of its files', async () => {
    await start('showcase');
    const { html, boot } = await page();
    const shadow =
      /data-slot="showcase"[^>]*><div style="contain:content"><div><template shadowrootmode="open">(.*?)<p>showcase<\/p><\/template><\/div><\/div><\/div>/;
    const styles = shadow.exec(html)?.[1] ?? '';
    expect(
      [...styles.matchAll(/<link rel="stylesheet" href="([^"]+)" integrity="sha384-/g)].map(
        ([, href]) => href,
      ),
    ).toEqual([
      '/assets/abc123/shell.css',
      '/assets/abc123/later.css',
      '/remotes/mfe-showcase/1.0.0/web/showcase.css',
    ]);
    expect(html.replace(shadow, '')).not.toContain('/remotes/mfe-showcase/');
    expect(boot.remotes.map(({ name }) => name)).not.toContain('mfe-showcase');
    expect(boot.slots.find(({ slot }) => slot === 'showcase')).toMatchObject({
      remote: 'mfe-showcase',
      styles: [],
      scripts: [],
      // Without the listings, which the layout does not let it read.
      frame: { version: '1.0.0', reads: ['session', 'search.alpha'], maxHeight: 1200 },
    });
  });

  it('loads the remote for its other slots', async () => {
    await start('toolbar');
    const { html, boot } = await page();
    expect(boot.remotes.map(({ name }) => name)).toContain('mfe-filters');
    expect(html).toContain('/remotes/mfe-filters/1.0.0/web/filters.js');
    expect(html.replace(/<template shadowrootmode="open">.*?<\/template>/, '')).not.toMatch(
      /toolbar\.(?:js|css)"[^:]/,
    );
  });

  it('is as before without such a slot', async () => {
    await start('');
    const { html, boot } = await page();
    expect(html).toContain('data-slot="showcase" class="fc-slot"><p>showcase</p></div>');
    expect(boot.slots.some(({ frame }) => frame)).toBe(false);
    expect((await shell.send(FRAME)).status).toBe(404);
  });
});

describe('the document of a frame', () => {
  it('has the files of its release with integrity, and a policy for nothing else', async () => {
    await start('showcase');
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
      'script-src http://www.example/assets/abc123/ http://www.example/remotes/mfe-showcase/1.0.0/web/',
      "style-src 'hash' http://www.example/remotes/mfe-showcase/1.0.0/web/",
      "style-src-attr 'unsafe-inline'",
      'img-src http://www.example data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types forecourt forecourt#early forecourt#entry shell#webpack mfe-showcase#webpack mfe-showcase#scripts',
    ]);
    expect(text.match(/<script[^>]*src[^>]*>/g)).toEqual([
      `<script defer src="/assets/abc123/shell.js" integrity="sha384-${'A'.repeat(64)}" crossorigin="anonymous">`,
    ]);
    expect(text).toContain('<title>Showcase</title>');
    expect(text).toContain('href="/remotes/mfe-showcase/1.0.0/web/showcase.css" integrity="sha384-C');
    const json = /id="fc-frame">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({
      slot: 'showcase',
      expose: './showcase',
      scripts: ['/remotes/mfe-showcase/1.0.0/web/showcase.js'],
      remote: { name: 'mfe-showcase', version: '1.0.0' },
    });
  });

  it.each([
    '/frames/results/mfe-results/1.0.0',
    '/frames/showcase/mfe-results/1.0.0',
    '/frames/showcase/mfe-showcase/2.0.0',
    '/frames/constructor/mfe-showcase/1.0.0',
  ])('does not exist for what the layout does not frame: %s', async (path) => {
    await start('showcase');
    expect((await shell.send(path)).status).toBe(404);
  });
});
