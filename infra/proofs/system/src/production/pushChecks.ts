import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shopper } from '@forecourt/harness/shopper';
import { equal, type Finding, required, until } from '../proof.ts';
import type { HttpArrival } from './arrivals.ts';
import { runOnSite } from './dealerChecks.ts';
import { PRICES, SOURCE } from './dealerFeed.ts';
import { PUSH_HOSTS } from './hosts.data.ts';
import { createPushBrowser, type PushBrowser } from './pushBrowser.ts';
import { SITE, type Site } from './services.ts';
import type { Internet } from './startInternet.ts';

const endpointOf = (host: string): string => `https://${host}/send/production-proof`;

const CALL = `${SITE}/cars-for-sale/api/call`;

/** Offers a subscription to the site; its status. */
async function register(shopper: Shopper, endpoint: string, { keys }: PushBrowser): Promise<number> {
  const token = JSON.stringify({ endpoint, keys });
  const json = { brand: 'atc', pixall_id: 'production', browser_token: token };
  const { status, text } = await shopper.send(`${CALL}/registerDevice`, { json });
  return text.includes('INVALID_TOKEN') ? 400 : status;
}

/** Whether the message is signed for this push service with the key that the site gave to browsers (RFC 8292). */
function isSignedFor(origin: string, publicKey: string, { headers }: HttpArrival): boolean {
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(String(headers['authorization'])) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const verifyKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    verifyKey,
    Buffer.from(signature, 'base64url'),
  );
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string };
  return isSigned && key === publicKey && aud === origin;
}

/** Codes of pushes that the API could not deliver, from its log. */
const failuresIn = (log: string): string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('push not delivered yet'))
    .map((line) => (JSON.parse(line) as { err: { code: string } }).err.code);

/** A signed-in visitor's browsers hear that a saved vehicle costs less; those whose push service is internal don't. */
export async function checkPush(site: Site, internet: Internet, shopper: Shopper): Promise<Finding[]> {
  const browser = createPushBrowser();
  const keyOf = async () => {
    const response = await fetch(
      `${site.stack.urls['marketplace-api']}/cars-for-sale/consumer-device/web-push-key`,
    );
    return ((await response.json()) as { publicKey: string }).publicKey;
  };
  const publicKey = await keyOf();
  const offered = [
    [endpointOf(PUSH_HOSTS.public).replace('https:', 'http:'), 'in plain text'],
    ['https://push.evil.example/send/1', 'at an unknown host'],
    ['https://169.254.169.254/latest', 'at the metadata address'],
  ] as const;
  const refused: Finding[] = [];
  for (const [endpoint, what] of offered)
    refused.push(equal(`Push: a subscription ${what}`, await register(shopper, endpoint, browser), 400));
  for (const host of Object.values(PUSH_HOSTS)) await register(shopper, endpointOf(host), browser);

  await runOnSite(site, 'src/import.ts', '--feed', SOURCE);
  // Its jobs run at once after a start, then every minute.
  await site.stack.restart('marketplace-api');
  const log = join(site.stack.dataDir, 'logs/marketplace-api.log');
  await until('the push arrives', () => internet.requests(PUSH_HOSTS.public).length > 0, { limitMs: 90_000 });
  await until('the other pushes are refused', () => failuresIn(log).length >= 2, { limitMs: 60_000 });

  const messages = internet.requests(PUSH_HOSTS.public);
  const [message] = messages;
  const text = browser.decrypt(Buffer.from(message!.body, 'base64'));
  const { title } = JSON.parse(text) as { title: string };
  return [
    equal('Push: messages at the push service', messages.length, 1),
    equal(
      'Push: what the browser decrypts',
      title,
      `Price drop: $${(PRICES.before - PRICES.after).toLocaleString('en-US')} less`,
    ),
    required(
      'Push: signed for the push service with the site’s key',
      isSignedFor(`https://${PUSH_HOSTS.public}`, publicKey, message!) ? 'yes' : 'no',
      'yes',
      isSignedFor(`https://${PUSH_HOSTS.public}`, publicKey, message!),
    ),
    ...refused,
    equal(
      'Push: log of services whose names lead to internal addresses',
      failuresIn(log).join(),
      'REFUSED,REFUSED',
    ),
  ];
}
