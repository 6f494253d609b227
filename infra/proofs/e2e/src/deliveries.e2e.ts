// not in the cluster: starts its own services, with other release settings, and reads the log of one shell
import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, afterEach, before, describe, it } from 'mocha';
import { freePort } from '@forecourt/local';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { kill } from '@forecourt/harness/processes';
import {
  deploy,
  fixtureDist,
  promote,
  publish,
  readManifest,
  refusedBy,
  releasesOf,
  tryAt,
  variantOf,
} from '@forecourt/harness/releases';
import { openResults } from './resultsPage.ts';
import { getPage, listingIds, slotHtml } from '@forecourt/harness/serverHtml';
import { linesWith, logLines } from './serviceLogs.ts';
import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responds in place of the registry; false forwards the request. */
type Misbehavior = (request: IncomingMessage, response: ServerResponse) => boolean;

interface RegistryProxy {
  readonly url: string;
  /** Applied to requests from now on; undefined forwards all of them. */
  misbehave: Misbehavior | undefined;
  close(): Promise<void>;
}

/** A proxy between a shell and its registry, which listens (now or later) on `port`. */
async function startRegistryProxy(port: number): Promise<RegistryProxy> {
  const server = createServer((request, response) => {
    if (proxy.misbehave?.(request, response)) return;
    const { method, url, headers } = request;
    const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      upstreamResponse.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: RegistryProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misbehave: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

/** Sends one byte every 100 ms and never ends. */
export const drip: Misbehavior = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const timer = setInterval(() => response.write('x'), 100);
  response.on('close', () => clearInterval(timer));
  return true;
};

/** The default page of a misconfigured host, with status 200. */
export const html: Misbehavior = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Welcome</title><h1>It works!</h1>');
  return true;
};

export const hang: Misbehavior = () => true;

const PAGE = '/cars-for-sale/all/ford';
const REMOTE = 'mfe-showcase';
/** The shell times out registry responses after 5 s. */
const REFUSED_WITHIN_MS = 8000;

describe('a broken release', () => {
  let proxy: RegistryProxy;
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  let good: string;
  let count = 0;

  before(async () => {
    const port = await freePort();
    proxy = await startRegistryProxy(port);
    stack = await startOwnStack({
      ports: { 'remote-registry': port },
      environment: { REGISTRY_URL: proxy.url },
    });
    good = (await deploy(stack.urls, fixtureDist('good'))).version;
  });
  after(async () => {
    await stack?.remove();
    await proxy?.close();
  });
  afterEach(async () => {
    proxy.misbehave = undefined;
    await promote(stack.urls['remote-registry'], REMOTE, good);
  });

  const isRefused = (version: string): boolean =>
    linesWith(logLines(stack.dataDir), ['"event":"refused"', `${REMOTE}@${version}`]).length > 0;

  /** Promotes a new version and expects a refusal while pages stay unchanged. */
  async function expectRefusal(
    misbehave: ((version: string) => Misbehavior) | undefined,
    changes: Omit<Parameters<typeof variantOf>[1], 'version'> = {},
  ): Promise<string> {
    const version = `9.1.${(count += 1)}`;
    const variant = variantOf(fixtureDist('good'), { version, ...changes });
    try {
      await publish(stack.urls['remote-registry'], variant.directory);
    } finally {
      variant.remove();
    }
    proxy.misbehave = misbehave?.(version);
    await promote(stack.urls['remote-registry'], REMOTE, version);
    await browser.waitUntil(
      async () => {
        const page = await getPage(stack.urls.shell + PAGE);
        assert.equal(page.status, 200);
        assert.match(slotHtml(page.html, 'showcase'), /Fixture showcase/);
        assert.ok(page.html.includes(`/remotes/${REMOTE}/${good}/`), 'the previous release stays');
        return isRefused(version);
      },
      { timeout: REFUSED_WITHIN_MS, interval: 200, timeoutMsg: 'the shell did not refuse it' },
    );
    assert.equal((await releasesOf(stack.urls.shell))[REMOTE], good);
    return version;
  }

  const onFiles =
    (misbehave: Misbehavior) =>
    (version: string): Misbehavior =>
    (request, response) =>
      (request.url ?? '').includes(`/remotes/${REMOTE}/${version}/`) && misbehave(request, response);

  it('refuses a release whose bytes do not match their integrity, and keeps the previous one', () =>
    expectRefusal(
      onFiles((_request, response) => {
        response.end('globalThis.isTampered = true;');
        return true;
      }),
    ));

  it('refuses a release at the deadline when its bytes drip, and keeps the previous one', () =>
    expectRefusal(onFiles(drip)));

  it('refuses a release at the deadline without a response, and keeps the previous one', () =>
    expectRefusal(onFiles(hang)));

  it('refuses a release whose files are HTML with status 200, and keeps the previous one', () =>
    expectRefusal(onFiles(html)));

  it('refuses a release whose manifest is HTML with status 200, and keeps the previous one', () =>
    expectRefusal(
      (version) => (request, response) =>
        (request.url ?? '').startsWith(`/api/releases/${REMOTE}/${version}`) && html(request, response),
    ));

  const LIGHT = readManifest(fixtureDist('good')).slots['showcase']!;
  /** Broken builds by the rule that refuses them; `words` replaces text in the built code. */
  const BROKEN: Readonly<Record<string, Parameters<typeof expectRefusal>[1]>> = {
    SHARED_RANGE: { shared: { react: '^18.2.0' } },
    CONTRACT_VERSION: { contracts: { '@forecourt/slots': '99.0.0' } },
    SLOT_MISSING: { slots: { other: LIGHT } },
    SIZE_BUDGET: { words: ['Fixture showcase', 'Fixture '.repeat(10_000)] },
    MODULE_LOAD: { words: ['const moduleMap', 'throw new Error("at load"); const moduleMap'] },
    LEFT_RUNNING: { words: ['const moduleMap', 'setInterval(() => {}, 1000); const moduleMap'] },
    SLOT_RENDER: { words: ['state.search.totalResultCount', 'state.search.listings[0].id'] },
    BROWSER_ENTRY: { words: ['var mfe_showcase', 'export var mfe_showcase'] },
    BROWSER_RENDER: { words: ['"Fixture showcase"', '"Fixture "+typeof window'] },
  };
  for (const [rule, changes] of Object.entries(BROKEN))
    it(`refuses a release by ${rule}, at the gate and in the shell when it is already live`, async () => {
      const version = await expectRefusal(undefined, changes);
      const { [`${REMOTE}@${version}`]: refusals = [] } = await refusedBy(stack.urls.shell);
      assert.deepEqual([...new Set(refusals.map((refusal) => refusal.rule))], [rule]);
      for (const refusal of refusals)
        for (const words of [refusal.expected, refusal.found, refusal.remedy]) assert.match(words, /\S/);
      const metrics = await (await fetch(`${stack.urls.shell}/metrics`)).text();
      assert.ok(metrics.includes(`release="${REMOTE}@${version}",rule="${rule}"} 1`));
      const tried = await tryAt(stack.urls.shell, REMOTE, version);
      assert.equal(tried.isAccepted, false);
      assert.deepEqual([...new Set(tried.refusals.map((refusal) => refusal.rule))], [rule]);
    });

  it('accepts a release once it is delivered correctly', async () => {
    const version = '9.2.0';
    const variant = variantOf(fixtureDist('good'), { version });
    try {
      proxy.misbehave = onFiles(html)(version);
      await publish(stack.urls['remote-registry'], variant.directory);
      await promote(stack.urls['remote-registry'], REMOTE, version);
      await browser.waitUntil(async () => isRefused(version), { timeout: REFUSED_WITHIN_MS });
      proxy.misbehave = undefined;
      await browser.waitUntil(async () => (await releasesOf(stack.urls.shell))[REMOTE] === version, {
        timeout: 5000,
      });
    } finally {
      variant.remove();
    }
  });
});

describe('when the registry is down', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async () => {
    stack = await startOwnStack();
    await kill(stack.pids['remote-registry']);
  });
  after(() => stack?.remove());

  it('serves the current releases when the registry is down, also to new browsers', async () => {
    const { status, html: page } = await getPage(stack.urls.shell + PAGE);
    assert.equal(status, 200);
    assert.ok(listingIds(page).length > 0);
    await openResults(PAGE, {
      origin: stack.urls.shell,
      slots: ['hero', 'location-editor', 'toolbar', 'filters', 'results', 'showcase'],
    });
    await browser.$('[data-tile] button[aria-label^="Email Seller"]:not(details *)').click();
    await browser.$('dialog[open] form').waitForDisplayed();
  });

  it('starts from the releases stored on disk when the registry is down', async () => {
    await stack.restart('shell');
    const { status, html: page } = await getPage(stack.urls.shell + PAGE);
    assert.equal(status, 200);
    assert.match(slotHtml(page, 'showcase'), /Sponsored/);
    await openResults(PAGE, {
      origin: stack.urls.shell,
      slots: ['hero', 'location-editor', 'toolbar', 'filters', 'results', 'showcase'],
    });
  });
});
