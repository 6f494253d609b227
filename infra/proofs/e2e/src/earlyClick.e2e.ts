import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { before, describe, it } from 'mocha';
import { shellOrigin } from './serverHtml.ts';

const PAUSE = { type: 'pause', duration: 0 } as const;

/** Evaluates an expression at once; classic WebDriver commands would wait for the document to load. */
async function evaluate(expression: string) {
  const context = await browser.getWindowHandle();
  const response = await browser.scriptEvaluate({ expression, target: { context }, awaitPromise: false });
  assert.equal(response.type, 'success', expression);
  return 'result' in response ? response.result : undefined;
}

interface InterceptedRequest {
  readonly isBlocked: boolean;
  readonly request: { readonly request: string; readonly url: string };
}

/** Scripts that are held back, by request; undefined while all may arrive. */
let held: string[] | undefined;

// A page that was left waits for nothing.
const allow = (request: string) => browser.networkContinueRequest({ request }).catch(() => undefined);

/** Intercepts requests until the session ends: the browser reports an error for each that is in flight when it stops. */
async function interceptRequests(): Promise<void> {
  await browser.sessionSubscribe({ events: ['network.beforeRequestSent'] });
  browser.on('network.beforeRequestSent', ({ isBlocked, request: { request, url } }: InterceptedRequest) => {
    if (!isBlocked) return;
    if (held && url.endsWith('.js')) held.push(request);
    else void allow(request);
  });
  await browser.networkAddIntercept({ phases: ['beforeRequestSent'] });
}

async function letScriptsArrive(): Promise<void> {
  const scripts = held ?? [];
  held = undefined;
  await Promise.all(scripts.map(allow));
}

/**
 * Loads the path without its scripts, and as soon as the element is painted, clicks it and types the text. The scripts
 * arrive when `until` has resolved.
 */
async function clickEarly(
  path: string,
  find: string,
  { text = '', until }: { readonly text?: string; readonly until?: () => Promise<unknown> } = {},
): Promise<void> {
  const context = await browser.getWindowHandle();
  await browser.sendCommand('Network.enable', {});
  await browser.sendCommand('Network.setCacheDisabled', { cacheDisabled: true });
  held = [];
  try {
    await browser.browsingContextNavigate({ context, url: shellOrigin() + path, wait: 'none' });
    const target = await browser.waitUntil(async () => {
      const painted = `performance.getEntriesByName('first-contentful-paint').length > 0`;
      const found = await evaluate(`location.pathname !== 'blank' && ${painted} && (${find})`);
      return found?.type === 'node' && found;
    });
    await evaluate(`(${find}).scrollIntoView({ block: 'center' })`);
    const element = { sharedId: target.sharedId ?? '' };
    const move = { type: 'pointerMove', duration: 0 } as const;
    await browser.inputPerformActions({
      context,
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { ...move, x: 0, y: 0, origin: { type: 'element', element } },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
            ...[...text].flatMap(() => [PAUSE, PAUSE]),
          ],
        },
        {
          type: 'key',
          id: 'keyboard',
          actions: [
            ...[PAUSE, PAUSE, PAUSE],
            ...[...text].flatMap((value) => [
              { type: 'keyDown' as const, value },
              { type: 'keyUp' as const, value },
            ]),
          ],
        },
      ],
    });
    await until?.();
    const hydrated = await evaluate(`performance.getEntriesByName('slot:results:hydrated').length`);
    assert.deepEqual(hydrated, { type: 'number', value: 0 });
  } finally {
    await letScriptsArrive();
    await browser.sendCommand('Network.setCacheDisabled', { cacheDisabled: false });
  }
}

const startOf = (mark: string) =>
  browser.execute((name) => performance.getEntriesByName(name)[0]?.startTime, mark);

describe('a click before hydration', () => {
  before(interceptRequests);

  it('replays a click before hydration once the slot has hydrated', async () => {
    await clickEarly(
      '/cars-for-sale/all-cars',
      `[...document.querySelectorAll('#listings button')].find(({ textContent }) => textContent.includes('Compare'))`,
    );
    await browser.$('aside[aria-label="Compare vehicles"]').waitForDisplayed();
  });

  it('suggests searches for words that were typed before hydration', async () => {
    const field = '[data-slot=toolbar] [name=keyword]';
    await clickEarly('/cars-for-sale/all-cars', `document.querySelector('${field}')`, { text: 'civic' });
    await browser.$('[role="option"]*=Civic').waitForDisplayed({ timeout: 30_000 });
    assert.equal(await browser.$(field).getValue(), 'civic');
  });

  it('searches for a filter before the page has its scripts, and hydrates the results', async () => {
    const filter = '[data-slot=filters] [type=checkbox][name=listingType][value=NEW]';
    const isShown = async () => {
      const marks = await evaluate(`performance.getEntriesByName('early-search:shown').length`);
      return marks?.type === 'number' && marks.value === 1;
    };
    await clickEarly('/cars-for-sale/all/ford', `document.querySelector(${JSON.stringify(filter)})`, {
      until: () => browser.waitUntil(isShown),
    });

    await browser.waitUntil(async () => (await startOf('slot:results:hydrated')) !== undefined);
    const shown = await startOf('early-search:shown');
    assert.ok(shown !== undefined, 'the results were shown without the scripts');
    assert.ok(shown < (await startOf('slot:results:hydrated'))!);
    assert.match(await browser.getUrl(), /\/cars-for-sale\/new\/ford$/);
    // A busy server leaves the panel to the browser, which renders it after the results.
    await browser.waitUntil(() => browser.$(filter).isSelected());
    await browser.waitUntil(() => browser.$(filter).isFocused());

    // The page goes on from there.
    await browser.back();
    await browser.waitUntil(async () => /\/all\/ford$/.test(await browser.getUrl()));
    await browser.waitUntil(async () => !(await browser.$(filter).isSelected()));
  });
});
