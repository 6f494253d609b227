import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import { createRequestContext } from '../../engine/http/requestContext.ts';
import { upstreamFiles } from './upstreamFiles.ts';
import { readConfig } from '../config.ts';
import { createVisitors } from '../visitor/visitor.ts';

const visitors = createVisitors({}, readConfig({}));

const servers: Server[] = [];
const rigs: ShellRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const picture = (_: IncomingMessage, response: ServerResponse) =>
  response
    .writeHead(200, {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
      'X-Inside': '1',
    })
    .end('<svg/>');

async function upstream(answer: (request: IncomingMessage, response: ServerResponse) => unknown = picture) {
  const urls: string[] = [];
  const url = await listen(
    createServer((request, response) => {
      urls.push(request.url ?? '');
      answer(request, response);
    }),
  );
  return { url, urls };
}

describe('vehicle pictures', () => {
  it('are served with the upstream’s type and caching and none of its other headers', async () => {
    const { url } = await upstream();
    const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
    rigs.push(rig);
    const { status, headers, text } = await rig.send('/pictures/TRUCKS/BLUE/front.svg');
    expect({ status, text }).toEqual({ status: 200, text: '<svg/>' });
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
    });
    expect(headers['x-inside']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['content-security-policy']).toBeDefined();
  });

  it.each([
    '/pictures/../metrics',
    '/pictures/%2e%2e/rest/lsc/listing',
    '/pictures/a/../../metrics',
    '/pictures/..\\metrics',
  ])('give no access to other upstream paths: %s', async (path) => {
    const { url, urls } = await upstream();
    const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
    rigs.push(rig);
    expect((await rig.send(path)).status).toBe(404);
    expect(urls).toEqual([]);
  });

  it.each([
    ['image/svg+xml', 'public, max-age=60', 'br'],
    ['image/jpeg', 'public, max-age=60', null],
    // It would be compressed for each visitor again.
    ['image/svg+xml', 'no-store', null],
  ])(
    'of type %s with %s are sent in the encoding %s, and uncompressed to other clients',
    async (type, caching, encoding) => {
      const drawing = '<svg/>'.repeat(100);
      const { url } = await upstream((_, response) =>
        response.writeHead(200, { 'Content-Type': type, 'Cache-Control': caching }).end(drawing),
      );
      const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
      rigs.push(rig);
      // It hands out what it has decoded.
      const answer = await fetch(`http://127.0.0.1:${rig.port}/pictures/a`, {
        headers: { 'Accept-Encoding': 'br' },
      });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(await answer.text()).toBe(drawing);
      const plain = await rig.send('/pictures/a');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.text).toBe(drawing);
      if (encoding) expect(plain.headers.vary).toContain('Accept-Encoding');
    },
  );

  it('are fetched once for concurrent and later requests', async () => {
    const { url, urls } = await upstream();
    const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
    rigs.push(rig);
    await Promise.all([1, 2, 3].map(() => rig.send('/pictures/a.svg')));
    await rig.send('/pictures/a.svg?v=2');
    expect(urls).toEqual(['/pictures/a.svg']);
  });

  it('fetches a photo once per format that browsers accept', async () => {
    const accepted: (string | undefined)[] = [];
    const { url } = await upstream((request, response) => {
      accepted.push(request.headers.accept);
      picture(request, response);
    });
    const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
    rigs.push(rig);
    const accepts = [
      'image/avif,image/webp,*/*',
      'image/avif,*/*;q=0.8',
      'image/webp,*/*',
      'image/avif;q=0,*/*',
      '*/*',
      '',
    ];
    for (const accept of accepts)
      await fetch(`http://127.0.0.1:${rig.port}/pictures/photos/a-640`, { headers: { Accept: accept } });
    expect(accepted).toEqual(['image/avif', 'image/webp']);
  });

  it.each([
    [404, 404],
    [400, 404],
    [500, 502],
    [302, 502],
  ])('with upstream status %i return %i and are not cached', async (status, expected) => {
    const { url, urls } = await upstream((_, response) =>
      response.writeHead(status, { Location: '/x' }).end(),
    );
    const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
    rigs.push(rig);
    expect((await rig.send('/pictures/a.svg')).status).toBe(expected);
    await rig.send('/pictures/a.svg');
    expect(urls).toHaveLength(2);
  });

  it('are cached up to a number and a size, evicting the least recently used', async () => {
    const { url, urls } = await upstream();
    const app = express();
    app.use(createRequestContext({ clock: () => new Date(), visitors, policy: () => '' }));
    app.get('/pictures/*path', upstreamFiles(url, { maxPictures: 2 }));
    const page = await listen(createServer(app));
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await fetch(`${page}/pictures/${name}.svg`);
    expect(urls).toEqual(['/pictures/a.svg', '/pictures/b.svg', '/pictures/c.svg', '/pictures/b.svg']);
  });

  it('are fetched again when they are older than the upstream allows', async () => {
    const { url, urls } = await upstream((_, response) =>
      response.writeHead(200, { 'Cache-Control': 'public, max-age=60' }).end('x'),
    );
    let time = 0;
    const app = express();
    app.use(createRequestContext({ clock: () => new Date(), visitors, policy: () => '' }));
    app.get('/pictures/*path', upstreamFiles(url, { now: () => time }));
    const page = await listen(createServer(app));
    for (const at of [0, 59_000, 61_000, 120_000]) {
      time = at;
      await fetch(`${page}/pictures/share/a.jpg`);
    }
    expect(urls).toHaveLength(2);
  });

  it('are not cached when their headers forbid it', async () => {
    const { url, urls } = await upstream((_, response) =>
      response.writeHead(200, { 'Cache-Control': 'no-store' }).end('x'),
    );
    const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
    rigs.push(rig);
    await rig.send('/pictures/a.svg');
    await rig.send('/pictures/a.svg');
    expect(urls).toHaveLength(2);
  });
});
