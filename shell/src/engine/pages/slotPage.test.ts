import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createInlineRenderer } from '../rendering/inline.ts';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { startLibrary, type LibraryRig } from '../testing/startLibrary.ts';
import { CallFailure, type CallFailureCode } from '../gateway/callFailure.ts';

const rigs: LibraryRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const failing = (code: CallFailureCode, status?: number) => () => {
  throw new CallFailure(code, 'book', 'test', status);
};

/** A main slot that loads one book and, if the upstream refuses it, redirects to `redirect`. */
const bookSlot = (redirect = '/library/shelf?lost=1', head = '{}') => `defineSlot({
  reads: ['page'],
  load: async ({ state, call }) => {
    const isbn = decodeURIComponent(state.page.url.split('?')[0].split('/').pop());
    try {
      return (await call('book', { isbn })).book;
    } catch (error) {
      if (error.code === 'REFUSED') return null;
      throw error;
    }
  },
  page: ({ state, data }) => data
    ? { title: data.title, description: 'One book', canonical: state.page.url.split('?')[0], isIndexed: true,
        heroImage: '/covers/1.svg', ...${head} }
    : { redirect: ${JSON.stringify(redirect)}, status: 301 },
  structuredData: ({ state, data }) => data && { '@type': 'Book', name: data.title, url: state.page.url,
    image: ['/covers/1.svg', 'https://covers.example/2.jpg'] },
  view: ({ data }) => React.createElement('h1', null, data ? data.title : 'gone'),
})`;
/** A main slot without data: it shows the page state. */
const stateSlot = `defineSlot({
  reads: ['page'],
  page: ({ state }) => ({ title: 'Reader', description: '', canonical: '/reader', isIndexed: false,
    status: state.page.url.includes('done=failed') ? 503 : 200 }),
  view: () => React.createElement('p', null, 'reader'),
})`;

async function start({
  slot = bookSlot(),
  everySlot,
  ...options
}: Parameters<typeof startLibrary>[0] & { slot?: string; everySlot?: string } = {}): Promise<LibraryRig> {
  const renderer = createInlineRenderer(LIBRARY_PLAN);
  const shelf = tinyRelease(
    { book: everySlot ?? slot, series: everySlot ?? stateSlot },
    { name: 'mfe-shelf', reads: ['page'] },
  );
  const loans = tinyRelease(
    { reader: everySlot ?? stateSlot, loans: stateSlot },
    { name: 'mfe-loans', reads: ['page'] },
  );
  const all = [shelf, loans];
  await Promise.all(all.map((release) => renderer.prepare(release)));
  const book = { isbn: '1001', title: 'Lunch Poems' };
  const rig = await startLibrary({
    live: new Map(all.map((release) => [release.manifest.name, { live: release }])),
    ...options,
    answers: { book: () => ({ book }), ...options.answers },
    adapters: { renderer, ...options.adapters },
  });
  rigs.push(rig);
  return rig;
}
const BOOK = '/library/book/1001';
const bootOf = (html: string) =>
  JSON.parse(/id="fc-boot"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '{}') as {
    state: { page: object };
    slots: { slot: string; rendered: string; hydrate: string }[];
    remotes: { name: string }[];
  };

describe('page with a main slot', () => {
  it('renders the slot of its kind between head and boot data', async () => {
    const rig = await start();
    const { status, text, headers } = await rig.send(BOOK, { headers: { Host: 'localhost' } });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(rig.calls.find(({ name }) => name === 'book')?.params).toBe('isbn=1001');
    expect(text).toContain('<title>Lunch Poems | Library</title>');
    expect(text).toContain('<link rel="canonical" href="http://localhost/library/book/1001">');
    expect(text).toContain('<link rel="preload" as="image" href="/covers/1.svg"');
    expect(text.match(/<h1>.*?<\/h1>/g)).toEqual(['<h1>Lunch Poems</h1>']);
    expect(text.indexOf('<main')).toBeLessThan(text.indexOf('<h1'));
  });

  it("writes absolute URLs into the slot's structured data", async () => {
    const { text } = await (await start()).send(BOOK, { headers: { Host: 'localhost' } });
    const json = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(text)?.[1] ?? '{}';
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'Book',
      url: `http://localhost${BOOK}`,
      image: ['http://localhost/covers/1.svg', 'https://covers.example/2.jpg'],
    });
  });

  it("boots with the page's state and the slots of its kind", async () => {
    const { send } = await start();
    const headers = { Host: 'localhost', Referer: 'http://localhost/library/shelf/poetry?sort=year' };
    const boot = bootOf((await send(`${BOOK}?x=1`, { headers })).text);
    expect(boot.state.page).toEqual({
      kind: 'book',
      url: `${BOOK}?x=1`,
      referrer: '/library/shelf/poetry?sort=year',
    });
    expect(boot.slots.map(({ slot, rendered, hydrate }) => [slot, rendered, hydrate])).toEqual([
      ['book', 'release', 'load'],
      ['preview', 'none', 'onEvent'],
      ['loans', 'none', 'afterFirstView'],
    ]);
    expect(boot.remotes.map(({ name }) => name)).toEqual(['mfe-shelf', 'mfe-loans']);
  });

  it.each([
    ['another site', 'http://evil.example/library/shelf'],
    ['another host in the path', 'http://localhost//evil.example/'],
    ['no page', undefined],
  ])('has no referrer when %s linked to it', async (_, Referer) => {
    const { send } = await start();
    const { text } = await send(BOOK, { headers: { Host: 'localhost', ...(Referer && { Referer }) } });
    expect(bootOf(text).state.page).toMatchObject({ referrer: null });
  });

  it('returns to the page with its query after signing in', async () => {
    const { text } = await (await start()).send(`${BOOK}?from=%2Flibrary%2Fshelf`);
    expect(text).toContain(`returnTo=${encodeURIComponent(`${BOOK}?from=%2Flibrary%2Fshelf`)}`);
  });

  it('returns to the path given by the slot after signing in', async () => {
    const slot = bookSlot(undefined, "{ returnPath: '/library/book/1001?from=%2Fnew' }");
    const { text } = await (await start({ slot })).send(BOOK);
    expect(text).toContain(encodeURIComponent('/library/book/1001?from=%2Fnew'));
  });

  it("escapes the slot's head fields", async () => {
    const { send } = await start({ slot: bookSlot('/', `{ title: '</title><script>x' }`) });
    expect((await send(BOOK)).text).not.toContain('<script>x');
  });
});

describe('the hook of a page that is shown', () => {
  it('runs for pages of people and crawlers, but not for one that is fetched ahead', async () => {
    const onShown = jest.fn();
    const { send } = await start({ onShown, site: { speculationRules: { prefetch: [] } } });
    const { headers, text } = await send(BOOK, { headers: { 'Sec-Purpose': 'prefetch' } });
    expect(onShown).not.toHaveBeenCalled();
    await send(BOOK);
    await send(BOOK, { headers: { 'User-Agent': 'Googlebot/2.1' } });
    expect(onShown).toHaveBeenCalledTimes(2);

    const rules = /<script type="speculationrules">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(JSON.parse(rules)).toEqual({ prefetch: [] });
    const hash = createHash('sha256').update(rules).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
  });
});

describe('outcome of a main slot', () => {
  it.each([404, 400])('redirects without caching when the upstream refuses with %i', async (status) => {
    const { send } = await start({ answers: { book: failing('REFUSED', status) } });
    const response = await send('/library/book/%00');
    expect(response.status).toBe(301);
    expect(response.headers.location).toBe('/library/shelf?lost=1');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/a\nb', 'books'])(
    'fails with status 500 when the redirect %j may leave the site',
    async (redirect) => {
      const { send } = await start({
        slot: bookSlot(redirect),
        answers: { book: failing('REFUSED', 404) },
      });
      const { status, headers } = await send(BOOK);
      expect(status).toBe(500);
      expect(headers.location).toBeUndefined();
    },
  );

  it.each(['UNREACHABLE', 'TIMED_OUT', 'UPSTREAM_ERROR', 'BREAKER_OPEN'] as const)(
    'is the error screen with status 500 when a required call fails with %s',
    async (code) => {
      const { send } = await start({ answers: { book: failing(code) } });
      const { status, text, headers } = await send(BOOK);
      expect(status).toBe(500);
      expect(text).toContain('This page isn’t available right now.');
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('is the error screen when the slot returns no page or no release has the slot', async () => {
    const { send } = await start({ slot: `defineSlot({ reads: [], view: () => null })` });
    expect((await send(BOOK)).status).toBe(500);
    const empty = await startLibrary();
    rigs.push(empty);
    expect((await empty.send(BOOK)).status).toBe(500);
  });

  it.each([
    ['/library/book/1001', 'an end tag of the page', '</div></main><p>LOOT</p>'],
    ['/library/series/1?volumes=1,2', 'a script', '<script>LOOT()</script>'],
    ['/library/book/7', 'a comment without end', '<p>LOOT</p><!--'],
    ['/reader', 'a form to another site', '<form action="https://evil.example">LOOT</form>'],
    ['/reader?done=failed', 'an event handler', '<p onclick="LOOT()">x</p>'],
  ])('is the error screen of %s when its HTML has %s', async (path, _what, html) => {
    const slot = `defineSlot({
      reads: ['page'],
      page: () => ({ title: 'Hostile', description: '', canonical: '/', isIndexed: false }),
      view: () => React.createElement('div', { dangerouslySetInnerHTML: { __html: ${JSON.stringify(html)} } }),
    })`;
    const { send } = await start({ everySlot: slot });
    const { status, text } = await send(path, { headers: { cookie: 'card=Ada' } });
    expect(status).toBe(500);
    expect(text).toContain('This page isn’t available right now.');
    expect(text).not.toContain('LOOT');
    expect(text).toMatch(/<\/html>\s*$/);
  });

  it("sets the page's status and disables caching then", async () => {
    const { send } = await start({ slot: bookSlot('/', '{ status: 404 }') });
    const { status, headers, text } = await send(BOOK);
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('<h1>');
  });

  it('answers HEAD with headers only', async () => {
    const { send } = await start();
    expect(await send(BOOK, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });
});
