// not in the cluster: starts its own services, with framed slots
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browser } from '@wdio/globals';
import { after, before, beforeEach, describe, it } from 'mocha';
import { allowConsoleErrors } from './consoleErrors.ts';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { deploy, fixtureDist } from '@forecourt/harness/releases';
import { openResults, shownCount, shownPath, waitForPath } from './resultsPage.ts';
import { getPage, slotHtml } from '@forecourt/harness/serverHtml';

const PAGE = '/cars-for-sale/all/ford';
/** Attempts of the fixture `framed`. */
const ATTEMPTS = 14;
const INVALID = [
  'Oversized message',
  'Message that is no JSON',
  'Message that is an object',
  'Unknown message',
  'Call of another path',
  'Flood of messages',
  'Navigation of the frame',
];

const frame = () => browser.$('#slot-showcase iframe');

/** Runs `steps` inside the frame. */
async function inFrame<T>(steps: () => Promise<T>): Promise<T> {
  await browser.switchFrame(await frame().getElement());
  try {
    return await steps();
  } finally {
    await browser.switchFrame(null);
  }
}
const press = (name: string) => inFrame(() => browser.$(`button=${name}`).click());
const textInFrame = (selector: string) => inFrame(() => browser.$(selector).getText());

/** What the shell's elements of the page say, and the height of the frame in px. */
const look = () =>
  browser.execute(() => ({
    title: document.title,
    vehicles: document.querySelectorAll('#listings li').length,
    account: document.getElementById('fc-account')?.dataset['account'],
    serverHtml: document.querySelector('#slot-showcase [style*="contain"]') !== null,
    frames: document.querySelectorAll('iframe').length,
    height: document.querySelector('#slot-showcase iframe')?.getBoundingClientRect().height ?? 0,
  }));

/** Layout shift of the page so far, a ratio. */
const layoutShift = () =>
  browser.execute(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect();
          const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // Without any shift there is no entry.
        setTimeout(() => resolve(0), 500);
      }),
  );

/** HTML whose buttons open a layer above the page when they are clicked; the check of HTML refuses it. */
const LAYERS = `<button class="try" popovertarget="popover">popover</button><p id="popover" popover>open</p>
  <button class="try" commandfor="dialog" command="show-modal">dialog</button><dialog id="dialog">open</dialog>
  <button class="try" commandfor="popover" command="toggle-popover">command</button>
  <a class="try" href="#followed">link</a><input class="try" autofocus>`;

/**
 * Clicks everything in the server's HTML of a framed slot, on a page without scripts whose slot has `LAYERS` as its HTML.
 * Returns what came of it.
 */
async function clickServerHtml(html: string): Promise<string[]> {
  const body = html
    .replaceAll(/<script[^]*?<\/script>/g, '')
    .replace(
      /(<div id="slot-showcase".*?<template shadowrootmode="open">).*?(?=<\/template>)/s,
      `$1${LAYERS}`,
    );
  assert.ok(body.includes(LAYERS));
  const server = createServer(({ url }, response) =>
    response
      .setHeader('content-type', url === '/' ? 'text/html; charset=utf-8' : 'text/css')
      .end(url === '/' ? body : ''),
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const happened: string[] = [];
  try {
    await browser.url(`http://localhost:${(server.address() as AddressInfo).port}/`);
    const shadow = '#slot-showcase > div > div';
    const places = await browser.execute((host: string) => {
      const root = document.querySelector(host)!.shadowRoot!;
      return [...root.querySelectorAll('.try')].map((element) => {
        element.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = element.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      });
    }, shadow);
    for (const { x, y } of places) {
      for (const type of ['mousePressed', 'mouseReleased'])
        await browser.sendCommand('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
      happened.push(
        await browser.execute((host: string) => {
          const root = document.querySelector(host)!.shadowRoot!;
          const open = root.querySelector<HTMLElement>(':popover-open, dialog:modal');
          const what = open?.id ?? (location.hash || root.activeElement?.localName || 'nothing');
          if (open?.matches('dialog')) (open as HTMLDialogElement).close();
          else open?.hidePopover();
          (root.activeElement as HTMLElement | null)?.blur();
          history.replaceState(null, '', '/');
          return what;
        }, shadow),
      );
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return happened;
}

describe('a slot in a frame', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  let url: string;

  before(async () => {
    stack = await startOwnStack({ environment: { FRAMED_SLOTS: 'showcase' } });
    url = stack.urls.shell + PAGE;
  });
  after(() => stack?.remove());

  const open = () => openResults(PAGE, { origin: stack.urls.shell, slots: ['showcase', 'results'] });

  it('shows the real showcase in a frame, with its height', async () => {
    await open();
    assert.match(await textInFrame('section'), /Sponsored/);
    const { height, serverHtml } = await look();
    const inner = await inFrame(() =>
      browser.execute(() => document.querySelector('[id^="slot-"]')?.getBoundingClientRect().height ?? 0),
    );
    assert.ok(inner > 30);
    assert.equal(height, Math.ceil(inner));
    assert.equal(serverHtml, false);
    const pictures = await inFrame(() =>
      browser.execute(() => [...document.images].map(({ naturalWidth }) => naturalWidth)),
    );
    assert.ok(pictures.length > 0 && pictures.every((width) => width > 0), 'its pictures are shown');
    assert.ok((await layoutShift()) < 0.01, 'nothing moved when the frame replaced the HTML of the server');
  });

  it("opens no layer, takes no focus and leads nowhere by a click until it is ready, whatever the server's HTML is", async () => {
    allowConsoleErrors(/./);
    const { html } = await getPage(url);
    assert.deepEqual(
      await clickServerHtml(html),
      Array.from({ length: 5 }, () => 'nothing'),
    );
    // Without the attribute, each of them does.
    const active = html.replace(' inert><div><template', '><div><template');
    assert.deepEqual(await clickServerHtml(active), ['popover', 'dialog', 'popover', '#followed', 'input']);
  });

  describe('with hostile code', () => {
    before(async () => void (await deploy(stack.urls, fixtureDist('framed'))));
    beforeEach(async () => {
      // What is blocked is reported as an error of the release or of the frame.
      allowConsoleErrors(/\/remotes\/mfe-showcase\//, /\/frames\/showcase\//, /403|frame-ancestors 'none'/);
      await open();
      // Their outcomes change the height.
      await inFrame(() =>
        browser.waitUntil(async () => (await browser.$$('[data-attempt]').length) === ATTEMPTS),
      );
    });

    it('is inert HTML in a shadow root without its scripts until the frame is ready', async () => {
      const { html } = await getPage(url);
      const slot = slotHtml(html, 'showcase');
      const shadow = /<template shadowrootmode="open"><link rel="stylesheet".*Framed link.*<\/template>/s;
      assert.match(slot, shadow);
      assert.doesNotMatch(html.replace(slot, ''), /\/remotes\/mfe-showcase\//);
      assert.doesNotMatch(slot, /<script/);
    });

    it('runs under a policy of its own that connects to nothing', async () => {
      const src = (await frame().getAttribute('src')) ?? '';
      const response = await fetch(new URL(src, stack.urls.shell));
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^sandbox allow-scripts; default-src 'none';/);
      assert.match(policy, /frame-ancestors 'self'/);
      assert.doesNotMatch(policy, /connect-src|unsafe-eval|script-src[^;]*(?:'unsafe-inline'|\*)/);
      assert.equal(response.headers.get('set-cookie'), null);
    });

    it('reaches neither the page nor cookies, storage, network or other windows', async () => {
      const before = await look();
      const outcomes = await inFrame(() => browser.$$('[data-attempt]').map((item) => item.getText()));
      assert.deepEqual([...new Set(outcomes)], ['blocked']);
      assert.deepEqual(await look(), { ...before, height: (await look()).height });
      assert.equal(await shownPath(), PAGE);
      assert.ok((await shownCount()) > 10);
    });

    it('can neither emit, hear nor call what the layout does not list, and is reported', async () => {
      assert.equal(await textInFrame('[data-of="call"]'), 'CALL_NOT_ALLOWED');
      assert.equal((await look()).account, 'out');
      await browser.$('select[name="sortBy"]').selectByIndex(1);
      assert.equal(await textInFrame('[data-of="heard"]'), 'nothing');
      await browser.waitUntil(
        async () => {
          const metrics = await (await fetch(`${stack.urls.shell}/metrics`)).text();
          return /forecourt_page_events_total\{kind="event.refused"\} [2-9]/.test(metrics);
        },
        { timeout: 20_000 },
      );
    });

    it('emits an allowed intent, and follows the state of the page', async () => {
      assert.equal(Number(await textInFrame('[data-of="total"]')), await shownCount());
      await press('Sort');
      await waitForPath((path) => path.includes('sortBy=derivedpriceASC'));
      await browser.waitUntil(async () => (await textInFrame('[data-of="sort"]')) === 'derivedpriceASC');
    });

    it('has the height of its content up to the largest of the layout', async () => {
      const { height } = await look();
      await press('Grow');
      await browser.waitUntil(async () => (await look()).height === height + 300);
      for (let at = 0; at < 5; at += 1) await press('Grow');
      await browser.waitUntil(async () => (await look()).height === 1200);
    });

    it('takes the visitor to pages of this site when they follow a link', async () => {
      // The link may move away from the pointer while the frame takes its height.
      await browser.waitUntil(async () => {
        if (!(await shownPath()).includes('fixture=framed'))
          await inFrame(() => browser.$('a=Framed link').click());
        return (await shownPath()).includes('fixture=framed');
      });
    });

    it('has a title and is reached by keyboard', async () => {
      assert.equal(await frame().getAttribute('title'), 'Showcase');
      await browser.execute(() => document.querySelector<HTMLElement>('#slot-showcase iframe')?.focus());
      await browser.keys('Tab');
      const focused = await inFrame(() => browser.execute(() => document.activeElement?.textContent));
      assert.equal(focused, 'Framed link');
    });

    for (const attack of INVALID)
      it(`ends and shows the server's HTML again after: ${attack}`, async () => {
        const { vehicles } = await look();
        await press(attack);
        await browser.waitUntil(async () => (await look()).frames === 0);
        const after = await look();
        assert.equal(after.serverHtml, true);
        assert.equal(after.vehicles, vehicles);
        assert.equal(await shownPath(), PAGE);
      });
  });

  it("keeps the server's HTML when its code throws", async () => {
    await deploy(stack.urls, fixtureDist('throws-on-hydration'));
    await openResults(PAGE, { origin: stack.urls.shell });
    await browser.waitUntil(async () => (await look()).frames === 0);
    assert.equal((await look()).serverHtml, true);
  });
});

describe('a slot without a frame', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;

  before(async () => {
    stack = await startOwnStack();
    await deploy(stack.urls, fixtureDist('framed'));
  });
  after(() => stack?.remove());

  it('does not stop the same code, which shows that the attempts are real', async () => {
    allowConsoleErrors(/./);
    await browser.url(stack.urls.shell + PAGE);
    await waitForPath((path) => path.includes('LOOT'));
  });
});
