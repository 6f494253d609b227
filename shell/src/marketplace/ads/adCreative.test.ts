import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const servers: Server[] = [];
const rigs: ShellRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function shellOver(answer: (response: ServerResponse) => unknown) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rig = await startShell({ environment: { MARKETPLACE_API_URL: url } });
  rigs.push(rig);
  return { rig, asked };
}

describe('ad creative', () => {
  it('is sandboxed by the site’s policy, whatever the service sends', async () => {
    const { rig, asked } = await shellOver((response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': 'default-src *' })
        .end('<p>Buy</p>'),
    );
    const { status, headers, text } = await rig.send('/ads/creative?slot=footer&t.make=FORD&n=0');
    expect({ status, text }).toEqual({ status: 200, text: '<p>Buy</p>' });
    expect(asked).toEqual(['/ads/creative?slot=footer&t.make=FORD&n=0']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain('script-src');
    expect(headers).not.toHaveProperty('origin-agent-cluster');
  });

  it.each([
    ['there is none', 404, (response: ServerResponse) => response.writeHead(404).end()],
    [
      'the service answers something else',
      404,
      (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('x'),
    ],
    ['the service breaks off', 502, (response: ServerResponse) => response.destroy()],
  ])('returns an error when %s', async (_, expected, answer) => {
    const { rig } = await shellOver(answer);
    expect((await rig.send('/ads/creative?slot=footer')).status).toBe(expected);
  });
});
