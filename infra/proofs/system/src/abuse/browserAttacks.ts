import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Shopper } from '@forecourt/harness/shopper';
import { type Answer, answers, type Entry, json, PAGE, send, type Site } from './site.ts';

const ORIGINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no origin': {},
  'another site': { Origin: 'https://evil.example' },
  'an opaque origin': { Origin: 'null' },
  'another site in Sec-Fetch-Site': { 'Sec-Fetch-Site': 'cross-site' },
};
const WRITES = {
  'a call': '/cars-for-sale/api/call/emailCapture',
  'a beacon': '/cars-for-sale/svc/page-event',
  'an alert beacon': '/cars-for-sale/still-interested/alert',
  'sign-out': '/account/sign-out',
} as const;
const CSRF: readonly Entry[] = Object.entries(WRITES).flatMap(([write, path]) =>
  Object.entries(ORIGINS).map(([origin, headers]): Entry => [
    'CSRF',
    `${write} from ${origin}`,
    answers([403], ({ shell }) =>
      send(shell + path, json({ emailAddress: 'a@b.example', brand: 'atc' }, headers)),
    ),
  ]),
);

const REDIRECTS: readonly Entry[] = [
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/..//evil.example',
  'http:evil.example',
  '\\\\evil.example',
].map((target): Entry => [
  'Open redirect',
  `refUrl ${JSON.stringify(target)}`,
  async ({ shell, ada }) => {
    const { headers } = await ada.send(`${shell}/account/sign-in?refUrl=${encodeURIComponent(target)}`);
    const location = headers.get('location') ?? '';
    return new URL(location, shell).origin === shell ? undefined : location;
  },
]);

const endpoint = (url: string) => ({
  brand: 'atc',
  pixall_id: 'p',
  browser_token: JSON.stringify({ endpoint: url, keys: { p256dh: 'a', auth: 'b' } }),
});
const SSRF: readonly Entry[] = [
  'https://127.0.0.1/',
  'http://169.254.169.254/latest/',
  'https://[::1]/',
  'https://fcm.googleapis.com@127.0.0.1/',
  'https://fcm.googleapis.com.evil.example/',
  'https://evil.example/#.push.apple.com',
  'https://0x7f000001/',
  'http://fcm.googleapis.com/',
  'file:///etc/passwd',
].map((url): Entry => [
  'SSRF',
  `push endpoint ${url}`,
  answers([400], ({ bareApi }) =>
    send(`${bareApi}/cars-for-sale/consumer-device/browser`, json(endpoint(url))),
  ),
]);

const DEFAULTS: readonly Entry[] = [
  '/outbox',
  '/__faults',
  '/cars-for-sale/svc/leads',
  '/cars-for-sale/svc/reports',
].map((path): Entry => [
  'Defaults',
  `${path} of an API that is started without settings`,
  answers([404], ({ bareApi }) => send(bareApi + path)),
]);

const SHARED: readonly Entry[] = [
  '/account/x.css',
  '/account;.js',
  '/account%2f..%2fx.png',
  PAGE,
  `${PAGE}?x=.css`,
].map((path): Entry => [
  'Cache deception',
  path,
  async ({ shell, ada }) => {
    const own = await ada.send(shell + path);
    const { text } = await send(shell + path);
    if (/Ada/.test(text)) return 'an account’s name in an anonymous page';
    return /public|s-maxage/.test(own.headers.get('cache-control') ?? '') && /Ada/.test(own.text)
      ? 'public'
      : undefined;
  },
]);

const SCRIPT = '"><script>alert(1)</script>';
const XSS: readonly Entry[] = [
  `${PAGE}?keyword=`,
  `${PAGE}?zip=`,
  `${PAGE}?x=`,
  '/cars-for-sale/all/',
  '/cars-for-sale/vehicle/',
  '/account/sign-in?refUrl=/',
  '/cars-for-sale/compare?ids=',
].map((path): Entry => [
  'XSS',
  path,
  async ({ shell }) =>
    (await new Shopper().open(shell + path + encodeURIComponent(SCRIPT))).text.includes('<script>alert(1)')
      ? 'a script'
      : undefined,
]);
const REPOSITORY = resolve(import.meta.dirname, '../../../../..');
const HOSTILE = `Evil ${SCRIPT}</script><!--\u2028${'${7*7}'}`;
const STORED: Entry = [
  'XSS',
  'texts of an imported feed, in pages, structured data and calls',
  async ({ shell, api, dataDir }) => {
    const row = {
      year: 2021,
      make: 'Ford',
      model: 'F150',
      trim: HOSTILE,
      price: 31_337,
      mileage: 1000,
      zip: '60601',
    };
    const feed = {
      ...row,
      sellerName: HOSTILE,
      sellerAddress: HOSTILE,
      extColor: HOSTILE,
      stockNumber: 'X1',
    };
    const fields = Object.fromEntries(Object.keys(feed).map((name) => [name, name]));
    writeFileSync(join(dataDir, 'feed.jsonl'), `${JSON.stringify(feed)}\n`, { mode: 0o600 });
    writeFileSync(join(dataDir, 'map.json'), JSON.stringify({ source: 'evil', fields }), { mode: 0o600 });
    const script = join(REPOSITORY, 'infra/services/marketplace-api/src/import.ts');
    const imported = spawnSync(
      process.execPath,
      [script, join(dataDir, 'feed.jsonl'), '--map', join(dataDir, 'map.json')],
      { env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir }, encoding: 'utf8' },
    );
    await wait(1500);
    const search = '/cars-for-sale/all-cars?maxPrice=31337&minPrice=31337&searchRadius=0';
    const found = await send(`${api}/rest/lsc/listing?minPrice=31337&maxPrice=31337&searchRadius=0`);
    const { listings } = JSON.parse(found.text) as { listings: { id: number | string }[] };
    const id = listings.at(-1)?.id;
    if (id === undefined || !found.text.includes('Evil'))
      return `nothing was imported: ${imported.stderr} ${imported.stdout.slice(-200)}`;
    for (const path of [search, `/cars-for-sale/vehicle/${id}`]) {
      const { text } = await new Shopper().open(shell + path);
      if (!text.includes('Evil')) return `${path} does not show it`;
      if (/<script>alert\(1\)|<\/script><!--/.test(text)) return `a script in ${path}`;
      for (const [, data = ''] of text.matchAll(
        /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs,
      ))
        JSON.parse(data);
    }
    return undefined;
  },
];
const FRAMES: readonly Entry[] = [
  ['a page', ({ shell }: Site) => send(shell + PAGE)],
  ['the account', ({ shell }: Site) => send(`${shell}/account/signed-out`)],
  ['the issuer', ({ identity }: Site) => send(`${identity}/reset/x`)],
].map(([what, open]): Entry => [
  'Clickjacking',
  String(what),
  async (site) =>
    /frame-ancestors 'none'/.test(
      String((await (open as (site: Site) => Promise<Answer>)(site)).headers['content-security-policy']),
    )
      ? undefined
      : 'can be framed',
]);

/** What another site can make browsers and services do: forged writes, redirects, requests, frames and scripts. */
export const BROWSER_ATTACKS: readonly Entry[] = [
  ...CSRF,
  ...REDIRECTS,
  ...SSRF,
  ...DEFAULTS,
  ...SHARED,
  ...XSS,
  STORED,
  ...FRAMES,
];
