import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as sendRequest,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildState } from '@forecourt/search/testing';
import { defineSlot, type SlotModule } from '@forecourt/slots';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { createElement } from 'react';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { DevProxy } from './devProxy.ts';
import { type DevBuild, slotRange } from './localBuild.ts';
import { checkToken, cookieForBrowser, cookiesForShell, readShell } from './shellAccess.ts';

const TOKEN = 'secret.token';
const { search, ...frame } = buildState({ totalResultCount: 7 });

/** What the fake shell received, and what it answers with. */
interface FakeShell {
  readonly server: Server;
  readonly url: URL;
  readonly requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  /** Whether the page is that of a tester. */
  followsBuilds: boolean;
  /** Whether the live release of slot `a` runs in a frame. */
  isFramed: boolean;
  refusal: string | undefined;
}

const LIVE_LINK = '<link rel="stylesheet" href="/remotes/mfe-a/0.9.0/web/old.css" integrity="x">';

/** A page with a slot of `mfe-a` and one of `mfe-b`, as a shell writes it. */
const pageOf = (followsBuilds: boolean, isFramed = false): string =>
  `<!doctype html><body><script type="application/json" id="fc-preloads">${JSON.stringify([
    ['/remotes/mfe-a/0.9.0/web/old.js', 'x'],
    ['/remotes/mfe-b/1.0.0/web/b.js', 'x'],
  ])}</script>` +
  `<div id="slot-a" data-slot="a"><div>live</div></div>${LIVE_LINK}<div id="slot-b" data-slot="b">other</div>` +
  `<script type="application/json" id="fc-boot">${JSON.stringify({
    state: frame,
    content: '/content',
    slots: [
      {
        slot: 'a',
        remote: 'mfe-a',
        rendered: 'release',
        styles: [],
        ...(isFramed && { frame: { version: '0.9.0' } }),
      },
      { slot: 'b', remote: 'mfe-b', rendered: 'release', styles: [] },
    ],
    remotes: [
      { name: 'mfe-a', version: '0.9.0', integrity: {} },
      { name: 'mfe-b', version: '1.0.0', integrity: {} },
    ],
    extension: { name: 'tester', data: { followsBuilds } },
  })}</script></body>`;

async function startFakeShell(proxyOrigin: string): Promise<FakeShell> {
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    shell.requests.push({ method, path, headers });
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path.startsWith('/overrides/local-build')) {
      if (shell.refusal !== undefined) return json(422, { error: { message: shell.refusal } });
      const style = `${proxyOrigin}/web/own.css`;
      return json(200, {
        remote: {
          name: 'mfe-a',
          version: '1.0.0',
          entry: `${proxyOrigin}/web/e.js`,
          integrity: { [style]: 'sha' },
        },
        slots: [{ slot: 'a', remote: 'mfe-a', rendered: 'none', styles: [style] }],
      });
    }
    if (path === '/content') return json(200, { search, data: { b: 'b' } });
    if (path.startsWith('/cars-for-sale/api/call/')) return json(200, { name: 'Ace' });
    if (path === '/sign-in') {
      const callback = encodeURIComponent(`${shell.url.origin}/account/callback`);
      const location = `https://issuer.example/auth?redirect_uri=${callback}&state=s`;
      return response.writeHead(302, { location, 'set-cookie': '__Host-pending=p; Path=/; Secure' }).end();
    }
    if (path === '/moved') return response.writeHead(302, { location: `${shell.url.origin}/there` }).end();
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      etag: '"live"',
      'set-cookie': [
        '__Host-id=1; Path=/; Secure; HttpOnly',
        'overrides=x; Path=/',
        'brand=kbb; Domain=shop.example',
      ],
    });
    return response.end(pageOf(shell.followsBuilds, shell.isFramed));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shell: FakeShell = {
    server,
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    requests: [],
    followsBuilds: true,
    isFramed: false,
    refusal: undefined,
  };
  return shell;
}

const slotOf = (words: string, changes: object = {}): SlotModule =>
  defineSlot<{ name: string } | undefined>({
    reads: ['search.totalResultCount'],
    load: ({ call, state }) =>
      call('ownerName' as never, { n: String(state.search.totalResultCount) } as never),
    view: ({ data }) => createElement('p', null, `${words} ${data?.name ?? ''}`),
    ...changes,
  });

function buildOf(module: SlotModule, version = '1.0.0'): DevBuild {
  const release = sampleRelease({ name: 'mfe-a', version });
  return { ...release, manifestBytes: manifestBytesOf(release), modules: new Map([['a', module]]) };
}

let shell: FakeShell;
let proxy: DevProxy;
let origin: string;
let failures: string[];

beforeEach(async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  origin = `http://localhost:${port}`;
  shell = await startFakeShell(origin);
  failures = [];
  proxy = new DevProxy({ shell: shell.url, token: TOKEN, onFailure: (message) => failures.push(message) });
  await proxy.listen(port);
});
afterEach(async () => {
  await proxy.close();
  shell.server.closeAllConnections();
  await new Promise((resolve) => shell.server.close(resolve));
});

/** With headers that `fetch` would not send. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    sendRequest({ hostname, port, path, method, headers }, resolve).once('error', reject).end();
  });
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

const bootOf = (html: string) =>
  JSON.parse(/id="fc-boot">([^]*?)<\/script>/.exec(html)?.[1] ?? '') as {
    content: { data: Record<string, unknown> };
    slots: { slot: string; rendered: string }[];
    remotes: { name: string; version: string }[];
  };

describe('a page through the development proxy', () => {
  it('contains the local build, rendered with the state and the calls of the page, in place of the live release', async () => {
    await proxy.show(buildOf(slotOf('local <b>')));
    const { text: html, headers } = await get('/page', { cookie: 'brand=kbb' });

    expect(html).toContain('<div id="slot-a" data-slot="a"><p>local &lt;b&gt; Ace</p></div>');
    expect(html).toContain('<div id="slot-b" data-slot="b">other</div>');
    expect(html).not.toContain('mfe-a/0.9.0');
    expect(html).toContain('/remotes/mfe-b/1.0.0/web/b.js');
    expect(html).toContain(
      '<link rel="stylesheet" href="/remotes/mfe-a/1.0.0/web/own.css" integrity="sha" crossorigin="anonymous"><div id="slot-a"',
    );
    const boot = bootOf(html);
    expect(boot.content.data).toEqual({ a: { name: 'Ace' }, b: 'b' });
    expect(boot.slots.map(({ slot, rendered }) => [slot, rendered])).toEqual([
      ['a', 'release'],
      ['b', 'release'],
    ]);
    expect(boot.remotes.map(({ name, version }) => `${name}@${version}`).sort()).toEqual([
      'mfe-a@1.0.0',
      'mfe-b@1.0.0',
    ]);
    expect([headers['etag'], headers['cache-control']]).toEqual([undefined, 'no-store']);
    const call = shell.requests.find(({ path }) => path.includes('/call/'));
    expect(call?.path).toBe('/cars-for-sale/api/call/ownerName?n=7');
    expect(call?.headers['x-forecourt-slot']).toBe('a');
    expect(call?.headers.cookie).toBe(`brand=kbb; overrides=${TOKEN}`);
  });

  it('shows a slot in the page itself that the shell runs in a frame', async () => {
    shell.isFramed = true;
    await proxy.show(buildOf(slotOf('local')));
    const { text: html } = await get('/page');
    expect(html).toContain('<div id="slot-a" data-slot="a"><p>local Ace</p></div>');
    const [slot] = bootOf(html).slots;
    expect(slot).toMatchObject({ slot: 'a', rendered: 'release' });
    expect(slot).not.toHaveProperty('frame');
  });

  it('keeps the HTML of the live release for the browser to replace when a slot throws, and reports it', async () => {
    await proxy.show(
      buildOf(
        slotOf('', {
          view: () => {
            throw new Error('my mistake');
          },
        }),
      ),
    );
    const { text: html } = await get('/page');
    expect(html).toContain('<div id="slot-a" data-slot="a"><div>live</div></div>');
    expect(bootOf(html).slots[0]).toMatchObject({ slot: 'a', rendered: 'fallback' });
    expect(failures.join()).toContain('my mistake');
  });

  it('reports what a page tells of a slot that failed in the browser, as plain text', async () => {
    const headers = { 'content-type': 'text/plain' };
    const status = await new Promise((resolve, reject) => {
      const post = sendRequest(`${origin}/overrides/failures`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      post.once('error', reject);
      post.end('Slot a failed in the browser (hydrate): \u001b[31mno card\n    at Card');
    });
    expect(status).toBe(204);
    expect(failures).toEqual(['Slot a failed in the browser (hydrate): no card\n    at Card']);
  });

  it('shows the live release, and says so, when the shell no longer accepts the override', async () => {
    await proxy.show(buildOf(slotOf('local')));
    shell.followsBuilds = false;
    expect((await get('/page')).text).toBe(pageOf(false));
    expect(failures.join()).toContain('expired');
  });

  it('tells open pages of each build the shell accepts, and keeps serving the files of older ones', async () => {
    await proxy.show(buildOf(slotOf('first')));
    const events = await fetch(`${origin}/overrides/builds`);
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    const until = async (words: string) => {
      while (!received.includes(words)) received += (await reader.read()).value ?? '';
    };
    await until('event: build');
    shell.refusal = 'SIZE_BUDGET: too large';
    await expect(proxy.show(buildOf(slotOf('second'), '1.0.1'))).rejects.toThrow('too large');
    shell.refusal = undefined;
    await proxy.show(buildOf(slotOf('third'), '1.0.2'));
    await until('/remotes/mfe-a/1.0.2/');
    expect(received.match(/event: build/g)).toHaveLength(2);
    await reader.cancel();

    const old = await get('/remotes/mfe-a/1.0.0/web/remoteEntry.js');
    expect([old.status, old.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await get('/page')).text).toContain('third');
  });
});

describe('the security of the development proxy', () => {
  it('sends the token to the shell with every request, and to no browser', async () => {
    await proxy.show(buildOf(slotOf('local')));
    const { text: html, headers } = await get('/page', { cookie: 'overrides=stolen; a=1' });
    expect(shell.requests.every(({ headers: sent }) => sent.cookie?.includes(`overrides=${TOKEN}`))).toBe(
      true,
    );
    expect(shell.requests.some(({ headers: sent }) => sent.cookie?.includes('stolen'))).toBe(false);
    expect(JSON.stringify(headers) + html).not.toContain(TOKEN);
    expect(headers['set-cookie']).toEqual(['forecourt-dev-Host-id=1; Path=/; HttpOnly', 'brand=kbb']);
  });

  it.each([
    ['a name of another site for this machine', '/page', { host: 'evil.example' }],
    ['a URL of another host', 'http://evil.example/page', {}],
    [
      'a request of another site that is no navigation',
      '/page',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ],
  ])('refuses %s', async (_, path, headers) => {
    expect((await get(path, headers)).status).toBe(403);
    expect(shell.requests).toEqual([]);
  });

  it('does not let pages set or end overrides, which are those of the proxy', async () => {
    expect((await get('/overrides')).status).toBe(404);
    expect((await get('/overrides/end', { origin }, 'POST')).status).toBe(404);
    expect(shell.requests).toEqual([]);
  });

  it('makes writes of its own pages writes of the shell’s, and leaves the origin of other sites as it is', async () => {
    await get('/write', { origin, referer: `${origin}/page` }, 'POST');
    await get('/write', { origin: `${origin}.evil.example` }, 'POST');
    expect(shell.requests.map(({ headers }) => [headers.origin, headers.referer, headers.host])).toEqual([
      [shell.url.origin, `${shell.url.origin}/page`, shell.url.host],
      [`${origin}.evil.example`, undefined, shell.url.host],
    ]);
  });

  it('keeps redirects of the shell on this machine', async () => {
    expect((await get('/moved')).headers.location).toBe('/there');
  });

  it('sends tokens in plain text to this machine only', () => {
    expect(readShell('http://localhost:3000').port).toBe('3000');
    expect(readShell('https://shop.example').host).toBe('shop.example');
    for (const url of ['http://shop.example', 'ftp://localhost', undefined])
      expect(() => readShell(url)).toThrow('--shell');
  });

  it('takes the token of a link, and no token for another remote, origin or shell, nor an expired one', async () => {
    const at = new URL('https://shop.example');
    const claims = { aud: at.origin, sub: 'dana', remote: 'mfe-a', origin: 'http://localhost:5001' };
    const now = Math.floor(Date.now() / 1000);
    const sign = (changes: object = {}, exp = now + 60) =>
      new SignJWT({ ...claims, iat: now, exp, ...changes })
        .setProtectedHeader({ alg: 'HS256', typ: 'override+jwt' })
        .sign(new Uint8Array(32));
    const check = async (text: string) => checkToken(text, at, 'mfe-a', 'http://localhost:5001');
    const token = await sign();
    await expect(check(`https://shop.example/overrides?token=${token}`)).resolves.toBe(token);
    for (const [text, reason] of [
      [await sign({ remote: 'mfe-b' }), 'mfe-b'],
      [await sign({ origin: 'http://localhost:5002' }), '5002'],
      [await sign({ aud: 'https://other.example' }), 'other.example'],
      [await sign({}, now - 1), 'expired'],
      ['x', 'not an override token'],
    ] as const)
      await expect(check(text)).rejects.toThrow(reason);
  });
});

describe('what the proxy reads', () => {
  const cookieName = fc.stringMatching(/^(?:__Host-|__Secure-)?[a-zA-Z][\w-]{0,12}$/);
  const cookieValue = fc.stringMatching(/^[\w.~-]{0,20}$/);

  it('returns each cookie to the shell under its name, whatever its attributes', () => {
    fc.assert(
      fc.property(
        cookieName.filter((name) => !/overrides$/.test(name)),
        cookieValue,
        fc.subarray(['Path=/', 'Secure', 'HttpOnly', 'Domain=shop.example', 'SameSite=None', 'Max-Age=5']),
        (name, value, attributes) => {
          const kept = cookieForBrowser([`${name}=${value}`, ...attributes].join('; ')) ?? '';
          expect(kept).not.toMatch(/^__|; (?:Secure|Domain|SameSite=None)/);
          const sent = cookiesForShell(kept.split(';', 1)[0], TOKEN, true);
          expect(sent).toBe(`${name}=${value}; __Host-overrides=${TOKEN}`);
        },
      ),
    );
  });

  it('finds the HTML of a slot whatever it contains', () => {
    const html = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('text', '<p title="a">x</p>', '<!--</div>-->', '<script>"</div>"</script>', '<br>'),
        fc.array(tie('node'), { maxLength: 3 }).map((inner) => `<div class="c">${inner.join('')}</div>`),
      ),
    })).node;
    fc.assert(
      fc.property(fc.array(html, { maxLength: 4 }), html, html, (inside, before, after) => {
        const page = `${before}<div id="slot-a" data-slot="a">${inside.join('')}</div>${after}`;
        const [from, to] = slotRange(page, 'a') ?? [0, 0];
        expect(page.slice(from, to)).toBe(inside.join(''));
      }),
    );
    expect(slotRange('<div id="slot-ab" data-slot="ab"></div>', 'a')).toBeUndefined();
  });
});

it('is open to devices of the network only at the address that it was given, and by no other name', async () => {
  const { port } = new URL(origin);
  await proxy.close();
  proxy = new DevProxy({ shell: shell.url, token: TOKEN, onFailure: (message) => failures.push(message) });
  // Another address of this machine stands for that of its network.
  await proxy.listen(Number(port), '127.0.0.2');
  await proxy.show(buildOf(slotOf('local')));
  const fetchFrom = (hostname: string, host: string) =>
    new Promise<{ status: number | undefined; html: string }>((resolve, reject) => {
      sendRequest({ hostname, port, path: '/page', headers: { host } }, (response) => {
        void text(response).then((html) => resolve({ status: response.statusCode, html }));
      })
        .once('error', reject)
        .end();
    });
  const statusAs = async (host: string) => (await fetchFrom('127.0.0.2', host)).status;
  expect((await fetchFrom('127.0.0.2', `127.0.0.2:${port}`)).html).toContain('<p>local');
  expect(await statusAs(`localhost:${port}`)).toBe(403);
  expect(await statusAs(`evil.example:${port}`)).toBe(403);
  await expect(fetchFrom('127.0.0.1', `127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('says how to sign in when a visitor begins to, because the issuer returns to the shell', async () => {
  const { port } = new URL(origin);
  const advice: string[] = [];
  await proxy.close();
  const onSignIn = (text: string) => void advice.push(text);
  proxy = new DevProxy({ shell: shell.url, token: TOKEN, onFailure: () => {}, onSignIn });
  await proxy.listen(Number(port), '127.0.0.2');
  const answer = await fetch(`http://127.0.0.2:${port}/sign-in`, { redirect: 'manual' });
  expect(answer.headers.getSetCookie()).toEqual(['forecourt-dev-Host-pending=p; Path=/']);
  expect(answer.headers.get('location')).toContain('https://issuer.example/auth');
  expect(advice).toEqual([
    `To sign in here: when ${shell.url.origin} says that the sign-in is no longer valid, change ${shell.url.origin} in its address to http://127.0.0.2:${port}`,
  ]);
});
