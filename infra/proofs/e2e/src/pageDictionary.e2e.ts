import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { browserPath, hydrated, inFreshBrowser, type Page } from '@forecourt/harness/browser';
import { BROWSER_USER_AGENT, getPage } from '@forecourt/harness/serverHtml';
import { describe, it } from 'mocha';
import { shellOrigin } from './sharedStack.ts';

const SEARCHES = ['all/ford', 'used/ford', 'all/toyota', 'used/toyota', 'all/honda', 'used/honda'].map(
  (path) => `/cars-for-sale/${path}?searchRadius=50&zip=60601`,
);

let searches = 0;

/** The path of a search that was never made before: a page that is kept may be compressed again, with Brotli. */
const newSearch = (): string =>
  `/cars-for-sale/all/ford/f150?maxPrice=${71_003 + 7 * searches++}&searchRadius=50&zip=60601`;

interface LoadedDocument {
  readonly coding: string | undefined;
  /** As received, decoded. */
  readonly html: string;
  /** Of the compressed body. */
  readonly bytes: number;
}

async function load(page: Page, path: string): Promise<LoadedDocument> {
  const response = await page.goto(shellOrigin() + path);
  assert.equal(response?.status(), 200, path);
  const bytes = await page.evaluate(
    () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).encodedBodySize,
  );
  return { coding: response.headers()['content-encoding'], html: await response.text(), bytes };
}

/** The dictionaries that the document has fetched. */
const fetchedDictionaries = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name, responseEnd }) => name.includes('/assets/dictionary/') && responseEnd > 0)
      .map(({ name }) => name),
  );

/** Loads the page until it has fetched a dictionary: a shell makes it with its first document. */
async function fetchDictionary(page: Page): Promise<LoadedDocument> {
  for (;;) {
    const loaded = await load(page, newSearch());
    await hydrated(page, 'results');
    try {
      await page.waitForFunction(
        () =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/dictionary/')),
        { timeout: 8000 },
      );
      while ((await fetchedDictionaries(page)).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return loaded;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    }
  }
}

/** The next page that is made with the dictionary: a replica without it sends another coding. */
async function nextWithDictionary(page: Page): Promise<LoadedDocument & { readonly path: string }> {
  for (const path of SEARCHES) {
    const loaded = await load(page, path);
    if (loaded.coding === 'dcz') return { path, ...loaded };
  }
  return assert.fail('no page was made with the dictionary');
}

describe('the next page of a browser that has the dictionary', () => {
  it('has the same HTML in half the bytes, and works', async () => {
    await inFreshBrowser(async (page) => {
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.setUserAgent({ userAgent: BROWSER_USER_AGENT });
      const first = await fetchDictionary(page);
      assert.equal(first.coding, 'zstd');

      const { path, html, bytes } = await nextWithDictionary(page);
      assert.equal(html, (await getPage(shellOrigin() + path)).html);
      const perCharacter = (loaded: { bytes: number; html: string }) => loaded.bytes / loaded.html.length;
      assert.ok(
        perCharacter({ bytes, html }) < perCharacter(first) / 2,
        `${bytes} after ${first.bytes} bytes`,
      );
      await Promise.all(['filters', 'results'].map((slot) => hydrated(page, slot)));
      // The dictionary is fetched once.
      assert.deepEqual(await fetchedDictionaries(page), []);

      const vehicle = await page.$eval('#listings article h3 a', (link) => link.getAttribute('href'));
      assert.equal((await load(page, vehicle ?? '')).coding, 'dcz');
      await page.goBack();
      await hydrated(page, 'results');
      assert.deepEqual(errors, []);
    });
  });

  it('comes when its scripts can wait: the dictionary is fetched after the first view is interactive', async () => {
    await inFreshBrowser(async (page) => {
      await fetchDictionary(page);
      const { dictionary, interactive } = await page.evaluate(() => ({
        dictionary: performance
          .getEntriesByType('resource')
          .find(({ name }) => name.includes('/assets/dictionary/'))?.startTime,
        interactive: performance.getEntriesByName('slot:results:hydrated')[0]?.startTime,
      }));
      assert.ok(Number(dictionary) > Number(interactive), `${dictionary} and ${interactive} ms`);
    });
  });

  it('is an ordinary one without scripts, which fetch the dictionary', async () => {
    await inFreshBrowser(async (page) => {
      await page.setJavaScriptEnabled(false);
      for (const path of [newSearch(), newSearch()]) assert.equal((await load(page, path)).coding, 'zstd');
      assert.ok(await page.$('#listings article'));
    });
  });

  it('is an ordinary one in Firefox', async function () {
    if (!existsSync(browserPath('firefox'))) return this.skip();
    await inFreshBrowser(async (page) => {
      await page.goto(shellOrigin() + newSearch());
      await hydrated(page, 'results');
      const response = await page.goto(shellOrigin() + SEARCHES[0]!);
      await hydrated(page, 'results');
      assert.notEqual(response?.headers()['content-encoding'], 'dcz');
    }, 'firefox');
  });
});
