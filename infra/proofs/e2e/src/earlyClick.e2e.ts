import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { shellOrigin } from './origins.ts';

const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** A separate file, because a browser with cached scripts would hydrate too early. */
describe('a click before hydration', () => {
  it('replays a click before hydration once the slot has hydrated', async () => {
    const context = await browser.getWindowHandle();
    const evaluate = async (expression: string) => {
      const response = await browser.scriptEvaluate({ expression, target: { context }, awaitPromise: false });
      assert.equal(response.type, 'success', expression);
      return 'result' in response ? response.result : undefined;
    };
    const move = { type: 'pointerMove', duration: 0 } as const;
    // Delays every script. Classic WebDriver commands would wait for them; BiDi commands do not.
    await browser.sendCommand('Network.emulateNetworkConditions', { ...UNLIMITED, latency: 600 });
    try {
      await browser.browsingContextNavigate({
        context,
        url: shellOrigin() + '/cars-for-sale/all-cars',
        wait: 'none',
      });
      const compare = await browser.waitUntil(async () => {
        const painted = `performance.getEntriesByName('first-contentful-paint').length > 0`;
        const isFound = await evaluate(
          `${painted} && [...document.querySelectorAll('#listings button')].find(({ textContent }) => textContent.includes('Compare'))`,
        );
        return isFound?.type === 'node' && isFound;
      });
      await evaluate(`document.querySelector('#listings').scrollIntoView()`);
      const element = { sharedId: compare.sharedId ?? '' };
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
            ],
          },
        ],
      });
      const hydrated = await evaluate(`performance.getEntriesByName('slot:results:hydrated').length`);
      assert.deepEqual(hydrated, { type: 'number', value: 0 });
    } finally {
      await browser.sendCommand('Network.emulateNetworkConditions', UNLIMITED);
    }
    await browser.$('aside[aria-label="Compare vehicles"]').waitForDisplayed();
  });
});
