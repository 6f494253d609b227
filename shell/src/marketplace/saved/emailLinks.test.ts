import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const TOKEN = 'a'.repeat(32);
const UNSUBSCRIBE = `/cars-for-sale/svc/unsubscribe/${TOKEN}`;

let server: Server | undefined;
let rig: ShellRig | undefined;
afterEach(async () => {
  await rig?.stop();
  server?.closeAllConnections();
  server?.close();
});

/** A shell over an upstream that responds with this status and JSON. */
async function start(status: number, json: unknown) {
  const asked: string[] = [];
  const consumers: unknown[] = [];
  server = createServer((request, response) => {
    consumers.push(request.headers['x-consumer-id']);
    asked.push(`${request.method} ${request.url} ${request.headers.accept}`);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  rig = await startShell({ environment: { MARKETPLACE_API_URL: `http://127.0.0.1:${port}` } });
  return { rig, asked, consumers };
}

describe('a link of an email', () => {
  it('opens a page of the site that asks first and changes nothing', async () => {
    const { rig, asked } = await start(200, {
      page: 'unsubscribe',
      search: 'New matches: Ford <in> Chicago',
    });
    const { status, text, headers } = await rig.send(UNSUBSCRIBE);
    expect(status).toBe(200);
    expect(asked).toEqual([`GET ${UNSUBSCRIBE} application/json`]);
    expect(text).toContain(
      '<h1>Unsubscribe from these emails?</h1><p>New matches: Ford &lt;in&gt; Chicago</p>',
    );
    expect(text).toContain('<form method="post">');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('ends the subscription when its button or a mail program posts to it, from wherever', async () => {
    const { rig, asked } = await start(200, { page: 'ended', search: 'New matches: Ford' });
    const { status, text } = await rig.send(UNSUBSCRIBE, {
      method: 'POST',
      headers: { Origin: 'null', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(status).toBe(200);
    expect(asked).toEqual([`POST ${UNSUBSCRIBE} application/json`]);
    expect(text).toContain('You’re unsubscribed');
    expect(text).not.toContain('<form method="post">');
  });

  it.each([
    ['the token is unknown', 404, { page: 'unknown' }, 404, 'We don’t recognize this link'],
    ['the visitor has used up the writes of a minute', 429, { error: {} }, 429, 'Nothing was changed'],
    ['the upstream fails', 500, { error: {} }, 502, 'Nothing was changed'],
    ['the upstream answers something else', 200, { page: '<script>' }, 502, 'Nothing was changed'],
  ])('says so when %s', async (_, status, json, expected, words) => {
    const { rig } = await start(status, json);
    const response = await rig.send(UNSUBSCRIBE);
    expect(response.status).toBe(expected);
    expect(response.text).toContain(words);
  });

  it('names the visitor to the upstream, so that no one uses up the writes of others', async () => {
    const { rig, consumers } = await start(200, { page: 'ended' });
    const id = '01234567-89ab-4def-8123-456789abcdef';
    await rig.send(UNSUBSCRIBE, { method: 'POST', headers: { Cookie: `pixallId=${id}` } });
    await rig.send(UNSUBSCRIBE, { method: 'POST' });
    expect(consumers).toEqual([id, expect.stringMatching(/^[\w-]{36}$/)]);
  });

  it('passes on nothing but a token', async () => {
    const { rig, asked } = await start(200, { page: 'ended' });
    for (const path of [`${UNSUBSCRIBE}%2f..%2fdata`, '/cars-for-sale/svc/confirm/..%2freports'])
      expect((await rig.send(path)).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
