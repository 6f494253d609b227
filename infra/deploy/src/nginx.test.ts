import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EDGE_TEMPLATE, findNginx, startEdge } from './nginx.ts';

it('sets headers for all locations together, because one with its own would lose those of the server', () => {
  const indented = readFileSync(EDGE_TEMPLATE, 'utf8').match(/^ {4,}proxy_set_header/gm);
  expect(indented).toBeNull();
});

const hasNginx = (() => {
  try {
    return findNginx() !== '';
  } catch {
    return false;
  }
})();
if (!hasNginx) it.skip('skipped: no nginx, and none to fetch', () => undefined);

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

(hasNginx ? describe : describe.skip)('the edge', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-'));
  const seen: { path: string | undefined; headers: IncomingHttpHeaders }[] = [];
  /** Of sessions with large tokens; browsers store cookies of up to 4 KB. */
  const LARGEST_COOKIES = ['sid', 'account', 'callback'].map((name) => `${name}=${'x'.repeat(4080)}`);
  /** A shell that responds with the name of the requested photo format. */
  const shell = createServer(({ url, headers }, response) => {
    seen.push({ path: url, headers });
    const type = headers.accept?.includes('image/avif') ? 'image/avif' : 'image/webp';
    response.writeHead(200, {
      'content-type': type,
      'cache-control': 'public, max-age=600',
      vary: 'Accept',
      ...(url === '/account/callback' && { 'set-cookie': LARGEST_COOKIES }),
    });
    response.end(type);
  });
  let edge: Awaited<ReturnType<typeof startEdge>>;
  beforeAll(async () => {
    const upstream = `server 127.0.0.1:${await listen(shell)};`;
    const probe = createServer();
    const port = await listen(probe);
    await new Promise((resolve) => probe.close(resolve));
    edge = await startEdge(folder, port, {
      PUBLIC_SCHEME: 'http',
      SHELL_SERVERS: upstream,
      IDENTITY_SERVERS: upstream,
      IDENTITY_HOST: 'id.localhost',
    });
    seen.length = 0;
  }, 60_000);
  afterAll(async () => {
    await edge?.stop();
    shell.closeAllConnections();
    await new Promise((resolve) => shell.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it.each([
    '/assets/a/shell.js',
    '/remotes/mfe-a/1.0.0/web/a.js',
    '/pictures/a',
    '/static/a',
    '/cars-for-sale',
  ])('passes the host and the client of a request for %s on to the shell', async (path) => {
    await fetch(edge.url + path, { headers: { Cookie: 'session=a', 'X-Forwarded-For': '10.0.0.1' } });
    const { headers } = seen.at(-1)!;
    expect(headers).toMatchObject({
      host: new URL(edge.url).host,
      'x-forwarded-host': new URL(edge.url).host,
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '10.0.0.1, 127.0.0.1',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(headers.connection).not.toBe('close');
    // Files are the same for everyone.
    expect(headers.cookie).toBe(path === '/cars-for-sale' ? 'session=a' : undefined);
  });

  it('passes the largest cookies of a sign-in on to the browser', async () => {
    const { status, headers } = await fetch(`${edge.url}/account/callback`);
    expect([status, headers.getSetCookie()]).toEqual([200, LARGEST_COOKIES]);
  });

  it('stores a photo once in each format, whatever the spelling of what a browser accepts', async () => {
    const formatFor = async (accept: string) =>
      (await fetch(`${edge.url}/pictures/photos/aa-640`, { headers: { accept } })).text();
    const accepted = [
      'image/avif,image/webp,*/*',
      'image/webp,*/*',
      'image/avif,*/*;q=0.8',
      '*/*',
      'image/*',
    ];
    const formats: string[] = [];
    for (const accept of accepted) formats.push(await formatFor(accept));
    expect(formats).toEqual(['image/avif', 'image/webp', 'image/avif', 'image/webp', 'image/webp']);
    expect(seen.filter(({ path }) => path === '/pictures/photos/aa-640')).toHaveLength(2);
    expect(await formatFor('image/avif;q=0, image/webp')).toBe('image/webp');
  });

  it('stores a picture once, whatever its query', async () => {
    for (const query of ['', '?1', '?2']) await fetch(`${edge.url}/pictures/once${query}`);
    expect(seen.filter(({ path }) => path?.startsWith('/pictures/once'))).toHaveLength(1);
  });
});
