import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { readConfig } from '../../config.ts';
import { createFirebasePush, withFirebase, type ServiceAccount } from './firebasePush.ts';
import type { PushSender } from './webPush.ts';

const TOKEN = `c1-Ab_9:APA91b${'x'.repeat(120)}`;
const notification = { title: 'Price drop', body: 'less', url: '/x', tag: 'price-1' };

describe('Firebase Cloud Messaging', () => {
  const keys = generateKeyPair('RS256', { extractable: true });
  let account: ServiceAccount;
  let server: Server;
  let services: { tokens: string; messages: string };
  let requests: { path: string; authorization: string | undefined; body: string }[];
  /** Responses of the FCM endpoint; the last one repeats. */
  let responses: { status: number; body?: object }[];
  let time: number;

  const bodyOf = async (request: IncomingMessage) => {
    let text = '';
    for await (const part of request) text += String(part);
    return text;
  };
  beforeEach(async () => {
    const { privateKey } = await keys;
    account = {
      project_id: 'cars-1',
      client_email: 'push@cars-1.iam.gserviceaccount.com',
      private_key: await exportPKCS8(privateKey),
    };
    requests = [];
    responses = [{ status: 200, body: { name: 'projects/cars-1/messages/1' } }];
    time = Date.now();
    let grants = 0;
    server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const { url: path = '', headers } = request;
        requests.push({ path, authorization: headers.authorization, body });
        const isGrant = path === '/token';
        if (isGrant) grants += 1;
        const { status, body: payload } = isGrant
          ? { status: 200, body: { access_token: `access-${grants}`, expires_in: 3599 } }
          : ((responses.length > 1 ? responses.shift() : responses[0]) ?? { status: 500 });
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(payload ?? {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    services = { tokens: origin, messages: origin };
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const firebase = () => createFirebasePush(account, { services, now: () => time });

  it('sends a Firebase notification with an access token from the service account', async () => {
    expect(await firebase().send(TOKEN, notification)).toBe('sent');
    const [grant, message] = requests;
    const form = new URLSearchParams(grant?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { publicKey } = await keys;
    const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
      issuer: account.client_email,
      audience: 'https://oauth2.googleapis.com/token',
    });
    expect(payload['scope']).toBe('https://www.googleapis.com/auth/firebase.messaging');
    expect(message).toMatchObject({
      path: '/v1/projects/cars-1/messages:send',
      authorization: 'Bearer access-1',
    });
    expect(JSON.parse(message?.body ?? '')).toEqual({
      message: {
        token: TOKEN,
        data: notification,
        webpush: { headers: { TTL: '86400', Topic: 'price-1' } },
      },
    });
  });

  it('requests an access token hourly, and again when the token was revoked', async () => {
    const push = firebase();
    await push.send(TOKEN, notification);
    await push.send(TOKEN, notification);
    const grants = () => requests.filter(({ path }) => path === '/token').length;
    expect(grants()).toBe(1);
    time += 3_600_000;
    await push.send(TOKEN, notification);
    expect(grants()).toBe(2);
    responses = [{ status: 401 }, { status: 200 }];
    await expect(push.send(TOKEN, notification)).rejects.toThrow('Firebase returned 401');
    expect(await push.send(TOKEN, notification)).toBe('sent');
    expect(grants()).toBe(3);
  });

  it('reports unregistered browsers as gone and rejects when Firebase fails', async () => {
    const push = firebase();
    const unregistered = { error: { status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] } };
    responses = [{ status: 404, body: unregistered }, { status: 503 }, { status: 400 }];
    expect(await push.send(TOKEN, notification)).toBe('gone');
    await expect(push.send(TOKEN, notification)).rejects.toThrow('Firebase returned 503');
    await expect(push.send(TOKEN, notification)).rejects.toThrow('Firebase returned 400');
  });

  // rows: A7-DEVICE-01
  it('sends Firebase tokens through Firebase and other subscriptions through Web Push', async () => {
    const sent: string[] = [];
    const webPush: PushSender = {
      publicKey: 'key',
      accepts: (token) => token.startsWith('{'),
      send: async (token) => {
        sent.push(token);
        return 'sent';
      },
    };
    const both = withFirebase(webPush, firebase());
    expect([TOKEN, '{"endpoint":""}', 'short', 'a b'.repeat(20)].map((token) => both.accepts(token))).toEqual(
      [true, true, false, false],
    );
    await both.send('{"endpoint":""}', notification);
    await both.send(TOKEN, notification);
    expect(sent).toEqual(['{"endpoint":""}']);
    expect(requests.at(-1)?.path).toContain('messages:send');
    expect(both.publicKey).toBe('key');
  });

  it('reads the Firebase key file and rejects an invalid one without revealing it', () => {
    expect(
      readConfig({ FIREBASE_SERVICE_ACCOUNT: JSON.stringify(account) }).FIREBASE_SERVICE_ACCOUNT,
    ).toEqual(account);
    for (const wrong of ['not json', '{"private_key":"secret"}']) {
      const read = () => readConfig({ FIREBASE_SERVICE_ACCOUNT: wrong });
      expect(read).toThrow(/^configuration: FIREBASE_SERVICE_ACCOUNT/);
      expect(read).not.toThrow(/secret/);
    }
  });
});
