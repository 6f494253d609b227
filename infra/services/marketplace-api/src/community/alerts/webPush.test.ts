import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createECDH, randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestInternet } from '@forecourt/service-kit/testInternet';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';
import { createWebPush } from './webPush.ts';

describe('Web Push', () => {
  let app: TestApp;
  let server: Server;
  let requests: { headers: IncomingHttpHeaders; size: number }[];
  let status: number;
  let token: string;
  beforeEach(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
    requests = [];
    status = 201;
    server = createServer((request, response) => {
      let size = 0;
      request.on('data', (part: Buffer) => (size += part.length));
      request.on('end', () => {
        requests.push({ headers: request.headers, size });
        response.writeHead(status, status === 307 ? { Location: 'http://127.0.0.1:1/' } : {}).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = createECDH('prime256v1');
    browser.generateKeys();
    token = JSON.stringify({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push/1`,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
    });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.stop();
  });
  const notification = { title: 'Price drop', body: 'less', url: '/x', tag: 'price-1' };
  const contact = 'mailto:push@example.com';

  it('sends an encrypted push message signed with keys that survive a restart', async () => {
    const first = await createWebPush(app.peopleSql, { contact, anyHost: true });
    const again = await createWebPush(app.peopleSql, { contact, anyHost: true });
    expect(again.publicKey).toBe(first.publicKey);
    expect(await again.send(token, notification)).toBe('sent');
    const [request] = requests;
    expect(request?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      topic: 'price-1',
    });
    expect(request?.headers.authorization).toContain(`k=${first.publicKey}`);
    expect(request?.size).toBeGreaterThan(JSON.stringify(notification).length);
  });

  it('reports revoked push subscriptions as gone, rejects service errors and follows no redirect', async () => {
    const push = await createWebPush(app.peopleSql, { contact, anyHost: true });
    status = 410;
    expect(await push.send(token, notification)).toBe('gone');
    status = 503;
    await expect(push.send(token, notification)).rejects.toThrow('returned 503');
    status = 307;
    await expect(push.send(token, notification)).rejects.toThrow();
  });

  it('connects to a push service at an address of the Internet, and to none in an internal network', async () => {
    const push = await createWebPush(app.peopleSql, { contact });
    const send = (host: string) =>
      push.send(
        JSON.stringify({ ...(JSON.parse(token) as object), endpoint: `https://${host}/x` }),
        notification,
      );
    const internet = startTestInternet({
      'fcm.googleapis.com': ['142.250.185.74'],
      'web.push.apple.com': ['17.188.143.34', '10.1.2.3'],
    });
    try {
      await expect(send('fcm.googleapis.com')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await expect(send('web.push.apple.com')).rejects.toMatchObject({ code: 'REFUSED' });
      expect(internet.connections).toEqual([{ address: '142.250.185.74', port: 443 }]);
    } finally {
      internet.stop();
    }
  });

  it('accepts push subscriptions of known push services only', async () => {
    const push = await createWebPush(app.peopleSql, { contact });
    const at = (endpoint: string) => JSON.stringify({ ...(JSON.parse(token) as object), endpoint });
    expect(push.accepts(at('https://fcm.googleapis.com/fcm/send/abc'))).toBe(true);
    expect(push.accepts(at('https://web.push.apple.com/abc'))).toBe(true);
    for (const endpoint of [
      token,
      at('http://fcm.googleapis.com/x'),
      at('https://fcm.googleapis.com.evil.example/x'),
      at('https://169.254.169.254/latest'),
      'no json',
    ])
      expect(push.accepts(endpoint)).toBe(false);
  });

  // rows: A7-DEVICE-01
  it('registers a device with its three keys and deletes it when the permission is revoked', async () => {
    const device = { brand: 'atc', pixall_id: 'pix', browser_token: 'token-1' };
    const path = '/cars-for-sale/consumer-device/browser';
    expect((await app.send('POST', path, device)).status).toBe(204);
    expect((await app.send('POST', path, device)).status).toBe(204);
    expect(app.peopleDb.prepare('SELECT brand, pixall_id, token FROM devices').all()).toEqual([
      { brand: 'atc', pixall_id: 'pix', token: 'token-1' },
    ]);
    expect((await app.send('POST', path, { ...device, browser_token: 'refused' })).status).toBe(400);
    await app.send('POST', `${path}/forget`, { browser_token: 'token-1' });
    expect(await app.people.devices.count()).toBe(0);
  });
});
