import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress, type EgressRule, type ResolveName } from './egress.ts';
import { startTestInternet } from './testing/testInternet.ts';

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
  const resolving =
    (...addresses: string[]): ResolveName =>
    (_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  it('are sent where an operator configured, with the body of the response', async () => {
    const response = await createEgress(rule({ isConfigured: true }))(`${origin}/`);
    expect([response.status, await response.text()]).toEqual([200, 'hello']);
  });

  /** The last address of a network, and the first one after it, are the limits of its row. */
  it.each([
    ['public IPv4', ['93.184.216.34']],
    ['public IPv4, the last before 10.0.0.0/8', ['9.255.255.255']],
    ['public IPv4, the first after 10.0.0.0/8', ['11.0.0.0']],
    ['public IPv4, the last before CGNAT', ['100.63.255.255']],
    ['public IPv4, the first after CGNAT', ['100.128.0.0']],
    ['public IPv4, the first after link-local', ['169.255.0.0']],
    ['public IPv4, the last before 172.16.0.0/12', ['172.15.255.255']],
    ['public IPv4, the first after 172.16.0.0/12', ['172.32.0.0']],
    ['public IPv4, the first after 192.168.0.0/16', ['192.169.0.0']],
    ['public IPv4, the last before multicast', ['223.255.255.255']],
    ['IPv4-mapped public', ['::ffff:93.184.216.34']],
    ['IPv4-mapped public in hexadecimal', ['::ffff:5db8:d822']],
    ['public IPv4 through NAT64', ['64:ff9b::5db8:d822']],
    ['public IPv6', ['2606:2800:220:1:248:1893:25c8:1946']],
    ['both kinds', ['2a00:1450:4001:80b::200e', '142.250.185.78']],
  ])('are sent when a name leads to %s: %j', async (_kind, addresses) => {
    const internet = startTestInternet({ 'name.example': addresses }, Number(new URL(origin).port));
    try {
      // Without a resolver of the test, as services call it.
      const response = await createEgress(rule())('http://name.example/photo');
      expect(await response.text()).toBe('hello');
      expect(internet.connections).toEqual([{ address: addresses[0], port: 80 }]);
    } finally {
      internet.stop();
    }
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback, its last address', ['127.255.255.254']],
    ['unspecified', ['0.0.0.0']],
    ['private 10.0.0.0/8', ['10.1.2.3']],
    ['private 172.16.0.0/12', ['172.31.255.255']],
    ['private 192.168.0.0/16', ['192.168.0.1']],
    ['CGNAT', ['100.64.0.1']],
    ['CGNAT, its last address', ['100.127.255.255']],
    ['link-local, as metadata of clouds', ['169.254.169.254']],
    ['protocol assignments', ['192.0.0.8']],
    ['benchmarks', ['198.19.255.255']],
    ['multicast', ['224.0.0.1']],
    ['broadcast', ['255.255.255.255']],
    ['IPv6 loopback', ['::1']],
    ['IPv6 unspecified', ['::']],
    ['IPv4-compatible', ['::7f00:1']],
    ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
    ['IPv4-mapped private in hexadecimal', ['::ffff:a01:203']],
    ['IPv6 ULA', ['fd00::1']],
    ['IPv6 ULA, its first address', ['fc00::']],
    ['IPv6 link-local', ['fe80::1']],
    ['IPv6 site-local', ['fec0::1']],
    ['IPv6 multicast', ['ff02::1']],
    ['NAT64 of loopback', ['64:ff9b::7f00:1']],
    ['NAT64 of a private address', ['64:ff9b::a01:203']],
    ['NAT64 of a local prefix', ['64:ff9b:1::5db8:d822']],
    ['6to4', ['2002:7f00:1::']],
    ['a public address and an internal one', ['93.184.216.34', '127.0.0.1']],
    ['no address', []],
  ])('are refused when a name leads to %s: %j', async (_kind, addresses) => {
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
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://100.64.0.1/',
  ])('are refused to the address of %s', async (url) => {
    await expect(createEgress(rule())(url)).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it.each(['http://93.184.216.34/', 'http://[::ffff:5db8:d822]/', 'http://[2606:2800:220:1::1946]/'])(
    'are sent to the address of %s',
    async (url) => {
      const internet = startTestInternet({}, Number(new URL(origin).port));
      try {
        expect((await createEgress(rule())(url)).status).toBe(200);
      } finally {
        internet.stop();
      }
    },
  );

  it.each([
    ['/moved', 'REDIRECTED'],
    ['/large', 'TOO_LARGE'],
    ['/silent', 'TIMEOUT'],
  ])('to %s end with %s', async (path, code) => {
    await expect(createEgress(rule({ isConfigured: true }))(origin + path)).rejects.toMatchObject({ code });
    expect(requests).toEqual([path]);
  });
});
