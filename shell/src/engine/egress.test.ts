import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStreamingEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from './egress.ts';

describe('outgoing requests of the shell', () => {
  let server: Server;
  let origin: string;
  let requests: (string | undefined)[];
  beforeEach(async () => {
    requests = [];
    server = createServer(({ url }, response) => {
      requests.push(url);
      if (url === '/moved') response.writeHead(302, { Location: '/secret' });
      response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('reach the origin of their purpose', async () => {
    const response = await createStreamingEgress(EGRESS.upstream(`${origin}/`))(`${origin}/a`);
    expect([await response.text(), requests]).toEqual(['hello', ['/a']]);
  });

  it('follow no redirect, even within the origin', async () => {
    await expect(createStreamingEgress(EGRESS.upstream(origin))(`${origin}/moved`)).rejects.toThrow();
    expect(requests).toEqual(['/moved']);
  });

  it.each(['http://localhost.evil.example/', 'http://127.0.0.1:1/', 'file:///etc/passwd', 'data:,x'])(
    'for upstream, registry and builds are refused to %s',
    async (target) => {
      for (const rule of [EGRESS.upstream(origin), EGRESS.registry(origin), EGRESS.build(origin)])
        await expect(createStreamingEgress(rule)(target)).rejects.toMatchObject({ name: 'EgressError' });
      expect(requests).toEqual([]);
    },
  );

  it('are refused when a path turns the origin of the upstream into user information', async () => {
    await expect(
      createStreamingEgress(EGRESS.upstream('http://api.example'))(
        `http://api.example@${new URL(origin).host}/`,
      ),
    ).rejects.toThrow('REFUSED');
    expect(requests).toEqual([]);
  });

  it.each([
    ['https://id.example/token', true],
    ['https://keys.example/jwks', true],
    ['http://keys.example/jwks', false],
    ['file:///etc/passwd', false],
  ])('for the issuer to %s are allowed: %s', (url, isAllowed) => {
    expect(EGRESS.issuer('https://id.example').allows(new URL(url))).toBe(isAllowed);
  });
});
