import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { integrityOf } from '../../rendering/release.ts';
import { tinyRelease } from '../../rendering/testing/tinyRelease.ts';
import { createOriginClient } from './overrideReleases.ts';

const BODY = Buffer.from('module.exports = 1;');
const manifest = {
  ...tinyRelease({}).manifest,
  files: { 'node/remoteEntry.cjs': { integrity: integrityOf(BODY), bytes: BODY.length } },
};

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Generous timeout for responses that arrive; test machines may be slow. */
const PATIENT_MS = 30_000;

async function clientOf(listener: RequestListener, answerMs = PATIENT_MS) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return createOriginClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'mfe-tiny',
    answerMs,
  );
}

describe('local build', () => {
  it('loads from its origin', async () => {
    const client = await clientOf((request, response) =>
      response.end(request.url === '/release.json' ? JSON.stringify(manifest) : BODY),
    );
    expect(await client.manifest()).toEqual(manifest);
    expect(await client.file(manifest, 'node/remoteEntry.cjs')).toEqual(BODY);
    await expect(client.file(manifest, 'node/other.cjs')).rejects.toThrow('no file');
  });

  it.each<[string, string, RequestListener]>([
    [
      'drips',
      'REGISTRY_UNREACHABLE',
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
    ['never begins', 'REGISTRY_UNREACHABLE', () => {}],
    [
      'leads elsewhere',
      'REGISTRY_UNREACHABLE',
      (_, response) => response.writeHead(302, { location: '/x' }).end(),
    ],
    [
      'is endless',
      'TOO_LARGE',
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
          response.once('drain', more);
        };
        more();
      },
    ],
    [
      'is an error',
      'INVALID_RESPONSE',
      (_, response) => response.writeHead(500).end(JSON.stringify(manifest)),
    ],
    ['is a page', 'INVALID_RESPONSE', (_, response) => response.end('<html>')],
    [
      'is that of another remote',
      'INVALID_RESPONSE',
      (_, response) => response.end(JSON.stringify({ ...manifest, name: 'mfe-x' })),
    ],
  ])('is refused when its manifest %s', async (_, code, listener) => {
    const client = await clientOf(listener, code === 'REGISTRY_UNREACHABLE' ? 200 : PATIENT_MS);
    await expect(client.manifest()).rejects.toMatchObject({ code });
  });

  it('is refused when a file does not match its manifest', async () => {
    const client = await clientOf((_, response) => response.end('module.exports = 2;'));
    await expect(client.file(manifest, 'node/remoteEntry.cjs')).rejects.toMatchObject({ code: 'INTEGRITY' });
  });
});
