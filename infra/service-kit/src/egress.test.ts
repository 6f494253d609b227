import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { lookup } from 'node:dns';
import { createEgress, type EgressRule } from './egress.ts';

describe('outgoing requests', () => {
  let server: Server;
  let origin: string;
  let requests: string[];
  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      if (request.url === '/moved') response.writeHead(302, { Location: `${origin}/secret` }).end();
      else if (request.url === '/large') response.end('x'.repeat(5000));
      else if (request.url !== '/silent') response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const rule = (more: Partial<EgressRule> = {}): EgressRule => ({
    purpose: 'test',
    allows: () => true,
    isConfigured: false,
    timeoutMs: 300,
    maxBytes: 4000,
    ...more,
  });
  /** A name server that answers with these addresses. */
  const resolving = (...addresses: string[]) =>
    ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as typeof lookup;

  it('are sent where an operator configured, with the body of the response', async () => {
    const response = await createEgress(rule({ isConfigured: true }))(`${origin}/`);
    expect([response.status, await response.text()]).toEqual([200, 'hello']);
  });

  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['192.168.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    ['64:ff9b::7f00:1'],
    ['93.184.216.34', '127.0.0.1'],
  ])('are refused when a name leads to %s', async (...addresses) => {
    const { port } = new URL(origin);
    const request = createEgress(rule(), resolving(...addresses));
    await expect(request(`http://name.example:${port}/`)).rejects.toMatchObject({ code: 'REFUSED' });
    expect(requests).toEqual([]);
  });

  it.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
  ])('are refused to the address of %s', async (url) => {
    await expect(createEgress(rule())(url)).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it.each([
    ['/moved', 'REDIRECTED'],
    ['/large', 'TOO_LARGE'],
    ['/silent', 'TIMEOUT'],
  ])('to %s end with %s', async (path, code) => {
    await expect(createEgress(rule({ isConfigured: true }))(origin + path)).rejects.toMatchObject({ code });
    expect(requests).toEqual([path]);
  });
});
