import assert from 'node:assert/strict';
import { brotliCompressSync, constants } from 'node:zlib';
import { $, browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { F150_NEAR_CHICAGO, getPage } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import { openResults } from './resultsPage.ts';
import { startOwnStack } from '@forecourt/harness/ownStack';

/** A page of 30 listings with all slots. */
const ALL_F150 = '/cars-for-sale/all/ford/f150?searchRadius=0&zip=60601';
/**
 * Upper bounds of its HTML; kB, compressed as the shell compresses it. The content has the market price of each listing, and
 * the 31st of a page with a highlight. The stock is another one each day: its words make some hundred bytes.
 */
const MAX_HTML = { raw: 166.5, compressed: 32.4, bootData: 7.4, content: 225, elements: 1800 };
/** Requests to the API of a page that is not cached, each with several calls. */
const MAX_UPSTREAM_REQUESTS = 2;

/**
 * Upper bounds of what the page requests, besides pictures, until filters and results are interactive. Counts, unlike
 * times, are the same on every machine, but for the call of a card that is interactive before the filters. Lower them when they fall; the goals are in `infra/proofs/bench/src/budgets.ts`.
 */
const MAX_REQUESTS = 9;
/** kB, compressed as the shell serves them. */
const MAX_SCRIPT_KB = 148;
/** kB of all scripts that a page loads which is only looked at. */
const MAX_SCRIPT_KB_WITHOUT_INPUT = 184;

/** Paths of the files that were requested before the slots were hydrated. */
const requestedBefore = (slots: readonly string[]): Promise<string[]> =>
  browser.execute((names: readonly string[]) => {
    const usable = Math.max(
      ...names.map((name) => performance.getEntriesByName(`slot:${name}:hydrated`)[0]?.startTime ?? Infinity),
    );
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= usable)
      .map(({ name }) => new URL(name).pathname);
  }, slots);

const loadedPaths = (): Promise<string[]> =>
  browser.execute(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));

/** kB of the scripts among the paths, compressed as the shell serves them. */
async function scriptBytes(paths: readonly string[]): Promise<number> {
  const scripts = paths.filter((path) => path.endsWith('.js'));
  const sizes = await Promise.all(
    scripts.map(async (path) => {
      const file = Buffer.from(await (await fetch(shellOrigin() + path)).arrayBuffer());
      return brotliCompressSync(file).length;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

describe('the results page until it is interactive', () => {
  it('stays within its requests and scripts', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const paths = await requestedBefore(['filters', 'results']);
    const others = paths.filter((path) => !path.startsWith('/pictures/'));
    // With the document itself.
    assert.ok(others.length + 1 <= MAX_REQUESTS, `${others.length + 1} requests: ${others.join(' ')}`);
    const scripts = await scriptBytes(paths);
    assert.ok(scripts > 0 && scripts <= MAX_SCRIPT_KB, `${scripts.toFixed(1)} kB of scripts`);
  });

  it('loads the code of dialogs with the first input only', async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: ['filters', 'results', 'leads'] });
    const isDialog = (path: string) => path.includes('DialogContents');
    // What is idle loads, too: until nothing new has come for a while.
    let paths: readonly string[] = [];
    await browser.waitUntil(
      async () => {
        const before = paths.length;
        paths = await loadedPaths();
        return paths.length === before && paths.some((path) => path.includes('below-results'));
      },
      { interval: 1500 },
    );
    const scripts = await scriptBytes(paths);
    assert.ok(!paths.some(isDialog), paths.join(' '));
    assert.ok(
      scripts <= MAX_SCRIPT_KB_WITHOUT_INPUT && scripts > MAX_SCRIPT_KB_WITHOUT_INPUT * 0.9,
      `${scripts.toFixed(1)} kB of scripts`,
    );
    await $('#listings article').moveTo();
    await browser.waitUntil(async () => (await loadedPaths()).some(isDialog));
  });

  it('has its icon, and links the web app manifest once the page is idle', async () => {
    assert.match((await $('link[rel=icon]').getAttribute('href')) ?? '', /^data:image\/svg\+xml,/);
    await $('link[rel=manifest]').waitForExist();
    assert.equal(
      (await fetch(shellOrigin() + (await $('link[rel=manifest]').getAttribute('href')))).status,
      200,
    );
  });
});

const kilobytes = (text: string): number => Buffer.byteLength(text) / 1000;
const brotli = (text: string): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length / 1000;

describe('the styles of the results page', () => {
  it('ask nothing of the page as a whole: with `:root:has()`, each new card costs a walk through all elements', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const selectors = await browser.execute(() => {
      const selectorsOf = (rules: CSSRuleList): string[] =>
        [...rules].flatMap((rule) => [
          ...(rule instanceof CSSStyleRule ? [rule.selectorText] : []),
          ...('cssRules' in rule ? selectorsOf(rule.cssRules as CSSRuleList) : []),
        ]);
      return [...document.styleSheets].flatMap((sheet) => selectorsOf(sheet.cssRules));
    });
    assert.ok(selectors.length > 300, `${selectors.length} rules`);
    assert.deepEqual(
      selectors.filter((selector) =>
        /(?::root|\bhtml|\bbody|\bmain)(?:\[[^\]]*\])?(?::not\()?:has\(/.test(selector),
      ),
      [],
    );
  });
});

describe('the HTML of the results page', () => {
  it('stays within its bytes and elements', async () => {
    const { html } = await getPage(shellOrigin() + ALL_F150);
    const [, boot = ''] = /<script type="application\/json" id="fc-boot">(.*?)<\/script>/s.exec(html) ?? [];
    const { content } = JSON.parse(boot) as { content: string };
    const measured = {
      raw: kilobytes(html),
      compressed: brotli(html),
      bootData: kilobytes(boot),
      content: kilobytes(await (await fetch(shellOrigin() + content)).text()),
      elements: html.match(/<[a-z][a-z0-9-]*[\s>/]/g)?.length ?? 0,
    };
    const wrong = Object.entries(MAX_HTML).flatMap(([name, limit]) => {
      const value = measured[name as keyof typeof measured];
      // A bound far above its figure would let it grow unnoticed.
      return value <= limit && value > limit * 0.9 ? [] : [`${name}: ${value}, bound ${limit}`];
    });
    assert.deepEqual(wrong, []);
  });
});

describe('the upstream requests of a page that is not cached', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async () => {
    stack = await startOwnStack();
  });
  after(() => stack?.remove());

  /** Requests with several calls, so far. */
  const batches = async (): Promise<number> => {
    const text = await (await fetch(`${stack.urls['marketplace-api']}/metrics`)).text();
    return [
      ...text.matchAll(/^marketplace_http_request_duration_seconds_count\{.*route="\/batch".*\} (\d+)$/gm),
    ]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  };

  it('are at most two', async () => {
    const page = () => getPage(stack.urls.shell + F150_NEAR_CHICAGO);
    // Fills the caches of what depends on the stock only.
    await page();
    const earlier = await batches();
    const pages = 5;
    for (let index = 0; index < pages; index += 1) assert.equal((await page()).status, 200);
    const requests = ((await batches()) - earlier) / pages;
    assert.ok(requests > 0 && requests <= MAX_UPSTREAM_REQUESTS, `${requests} requests per page`);
  });
});
