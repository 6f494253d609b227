// not in the cluster: starts its own services, whose canaries it breaks
import assert from 'node:assert/strict';
import { $, browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { deploy, fixtureDist, publish } from '@forecourt/harness/releases';
import { allowConsoleErrors } from './consoleErrors.ts';
import { openResults } from './resultsPage.ts';
import { getPage, slotHtml } from '@forecourt/harness/serverHtml';

const PAGE = '/cars-for-sale/all/ford';
/** Half of them get the canary; five failures against none of the live release are enough. */
const VISITORS = 60;
const ENDED_WITHIN_MS = 10_000;

interface Change {
  readonly by: string;
  readonly verb: string;
  readonly why?: string;
  readonly after: { readonly live: string; readonly canary?: unknown };
}

describe('a canary that fails clearly more often than the live release', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async () => {
    stack = await startOwnStack();
    await deploy(stack.urls, fixtureDist('good'));
  });
  after(() => stack?.remove());

  const history = async (): Promise<Change[]> => {
    const url = `${stack.urls['remote-registry']}/api/remotes/mfe-showcase/history`;
    return ((await (await fetch(url)).json()) as { changes: Change[] }).changes;
  };

  async function startCanary(fixture: string, weight: number): Promise<void> {
    const registry = stack.urls['remote-registry'];
    const { name, version } = await publish(registry, fixtureDist(fixture));
    const canary = await fetch(`${registry}/api/remotes/${name}/canary`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version, weight }),
    });
    assert.equal(canary.status, 200);
  }

  it('is ended by the shell with the reason in the history, without a failed page', async () => {
    const { shell } = stack.urls;
    await startCanary('throws-in-render', 50);
    const started = Date.now();
    let newest = (await history())[0];
    for (let visitor = 0; newest?.by !== 'shell'; visitor += 1) {
      assert.ok(visitor < VISITORS || Date.now() - started < ENDED_WITHIN_MS, 'the canary was not ended');
      const { status, html } = await getPage(shell + PAGE);
      assert.equal(status, 200);
      assert.ok(html.endsWith('</html>'));
      newest = (await history())[0];
    }
    assert.equal(newest.after.canary, undefined);
    assert.match(
      newest.why ?? '',
      /^slot showcase failed on servers \d+ of \d+ times in the canary, \d+ of \d+ times in \S+/,
    );
    for (let visitor = 0; visitor < 10; visitor += 1)
      assert.match(slotHtml((await getPage(shell + PAGE)).html, 'showcase'), /Fixture showcase/);
  });

  it('counts the failure of a browser that loaded the canary, and none without its page', async () => {
    const { shell } = stack.urls;
    await startCanary('throws-on-hydration', 100);
    await browser.waitUntil(async () => (await getPage(shell + PAGE)).html.includes('Server showcase'));
    const reports = async (outcome: string): Promise<number> => {
      const text = await (await fetch(`${shell}/metrics`)).text();
      const line = new RegExp(`^forecourt_browser_reports_total{outcome="${outcome}"} (\\d+)$`, 'm');
      return Number(line.exec(text)?.[1] ?? 0);
    };

    const { html } = await getPage(shell + PAGE);
    const version = /"name":"mfe-showcase","version":"([^"]+)"/.exec(html)?.[1];
    assert.ok(version);
    const event = { type: 'slot.failed', name: 'showcase', phase: 'hydrate' };
    const forged = await fetch(`${shell}/cars-for-sale/svc/page-event`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 Chrome/140.0.0.0',
        origin: shell,
      },
      body: JSON.stringify({
        brand: 'atc',
        page: PAGE,
        events: [{ ...event, release: `mfe-showcase@${version}` }],
      }),
    });
    assert.equal(forged.status, 204);
    assert.equal(await reports('unsigned'), 1);
    assert.equal(await reports('counted'), 0);

    await openResults(PAGE, { origin: shell });
    // Pages send their events every ten seconds.
    await browser.waitUntil(async () => (await reports('counted')) === 1, { timeout: 20_000 });
    assert.equal(await reports('forged'), 0);
  });

  it('stops a slot that searches again and again, and counts it against its release', async () => {
    allowConsoleErrors(/Slot showcase emitted more than/);
    const { shell } = stack.urls;
    await startCanary('loops-in-effects', 100);
    await browser.waitUntil(async () => (await getPage(shell + PAGE)).html.includes('Searching'));
    await openResults(PAGE, { origin: shell });
    const searches = () =>
      browser.execute(
        () =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => new URL(name).pathname === '/cars-for-sale/api/search').length,
      );
    await browser.waitUntil(async () => (await searches()) > 0, { timeout: 20_000 });
    let before = -1;
    // It has ended when it no longer grows.
    await browser.waitUntil(
      async () => {
        const count = await searches();
        const hasEnded = count === before;
        before = count;
        return hasEnded;
      },
      { interval: 1_000, timeout: 20_000 },
    );
    assert.ok((await searches()) <= 40, `${await searches()} searches`);

    // Leaving the page sends what it has recorded.
    await browser.url(`${shell}${PAGE}?devtools`);
    const counted = /^forecourt_browser_slot_failures_total\{slot="showcase",.*phase="budget"\} 1$/m;
    await browser.waitUntil(async () => counted.test(await (await fetch(`${shell}/metrics`)).text()));
    // And what each slot has done, for the control room.
    const figuresOf = async (name: string) => {
      const { slots } = (await (await fetch(`${shell}/releases/report`)).json()) as {
        slots: { slot: string; browser?: { figures?: Record<string, { p75: number }> } }[];
      };
      return slots.findLast(({ slot, browser: { figures } = {} }) => slot === name && figures)?.browser
        ?.figures;
    };
    await browser.waitUntil(async () => {
      const [results, showcase] = [await figuresOf('results'), await figuresOf('showcase')];
      const [elements = 0, events = 0] = [results?.['elements']?.p75, showcase?.['eventsPerMinute']?.p75];
      return elements > 100 && events > 40;
    });
    const panel = $('#fc-devtools').shadow$('[role=tabpanel]');
    await browser.waitUntil(
      async () => {
        const text = await panel.getText();
        return (
          /budget: emitted .*a loop: showcase emits search\.changeRequested/.test(text) &&
          / [3-9]\d\d ms busy/.test(text)
        );
      },
      { timeout: 20_000, timeoutMsg: 'the devtools do not show what the slot does' },
    );
  });
});
