import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import {
  type Answer,
  answers,
  type Entry,
  exchange,
  json,
  MARK,
  PAGE,
  send,
  type Site,
  unless,
} from './site.ts';

const HOSTS: readonly Entry[] = [
  'evil.example',
  'localhost.evil.example',
  'localhost@evil.example',
  'localhost, evil.example',
].map((host): Entry => [
  'Host',
  `Host ${JSON.stringify(host)}`,
  answers([400, 421], ({ shell }) => send(shell + PAGE, { headers: { Host: host } })),
]);
const NO_HOST: readonly Entry[] = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
].map((bytes): Entry => [
  'Host',
  JSON.stringify(bytes.slice(14)),
  async ({ shell }) => {
    const said = await exchange(shell, bytes);
    return said.startsWith('HTTP/1.1 400') ? undefined : said.slice(0, 40);
  },
]);
const POISON: readonly Entry[] = [
  'X-Forwarded-Host',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Prefix',
  'Forwarded',
  'X-Host',
].map((name): Entry => [
  'Cache poisoning',
  name,
  async ({ shell }) => {
    await send(shell + PAGE, {
      headers: { [name]: name === 'Forwarded' ? `host=${MARK}.example` : `/${MARK}.example` },
    });
    const { text } = await send(shell + PAGE);
    return text.includes(MARK) ? 'in the next page' : undefined;
  },
]);
const CRLF = '%0d%0aSet-Cookie:%20evil=1';
const INJECTION: readonly Entry[] = [
  ...[
    `${PAGE}?zip=60601${CRLF}`,
    `/cars-for-sale/all/${CRLF}`,
    `/account/sign-in?refUrl=/${CRLF}`,
    `/build-your-price?x=${CRLF}`,
  ].map((path): Entry => [
    'Header injection',
    path,
    async ({ shell }) =>
      [(await send(shell + path)).headers['set-cookie']].flat().join().includes('evil=1')
        ? 'a cookie'
        : undefined,
  ]),
  ...[
    'a@b.example\r\nBcc: x@y.example',
    'a@b.example, x@y.example',
    'a@b.example%0aBcc:x',
    '"a\n"@b.example',
  ].map((emailAddress): Entry => [
    'Mail header injection',
    JSON.stringify(emailAddress),
    answers([400], ({ api }) =>
      send(`${api}/cars-for-sale/svc/email-capture`, json({ emailAddress, brand: 'atc' })),
    ),
  ]),
];

const SMUGGLING: readonly Entry[] = Object.entries({
  'length and chunks':
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'two lengths':
    'Content-Length: 0\r\nContent-Length: 40\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a space before the colon': 'Transfer-Encoding : chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
  'an unknown coding': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'a bare line feed': 'X: a\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
}).map(([what, rest]): Entry => [
  'Request smuggling',
  what,
  async ({ shell }) => {
    const said = await exchange(
      shell,
      `POST /cars-for-sale/svc/page-event HTTP/1.1\r\nHost: localhost\r\n${rest}`,
    );
    return said.split('HTTP/1.1 ').length > 2 || /^HTTP\/1.1 2/.test(said) ? said.slice(0, 60) : undefined;
  },
]);

const POLLUTION: readonly Entry[] = [
  [
    'the query',
    (shell: string) => send(`${shell}${PAGE}?__proto__[${MARK}]=1&constructor[prototype][${MARK}]=1`),
  ],
  [
    'a body',
    (shell: string) =>
      send(`${shell}/cars-for-sale/api/call/emailCapture`, {
        ...json({}, { Origin: shell }),
        body: `{"__proto__":{"emailAddress":"a@b.example","brand":"atc"}}`,
      }),
  ],
].map(([what, attack]): Entry => [
  'Prototype pollution',
  String(what),
  answers([200, 301, 400, 429], ({ shell }) => (attack as (shell: string) => Promise<Answer>)(shell)),
]);

const LONG = 'a'.repeat(6000);
const SLOW_MS = 1500;
const REDOS: readonly Entry[] = Object.entries({
  'a keyword': { path: `${PAGE}?keyword=${LONG}` },
  'a ZIP code': { path: `${PAGE}?zip=${'1'.repeat(6000)}` },
  'a path': { path: `/cars-for-sale/all/${'ford/'.repeat(1000)}` },
  'a cookie': { headers: { Cookie: `account=${'='.repeat(6000)}; sid=${LONG}` } },
  'a user agent': { headers: { 'User-Agent': `${LONG} bot`.repeat(2) } },
  'a language': { headers: { 'Accept-Language': 'a-'.repeat(3000), Accept: 'text/html;q=0.'.repeat(400) } },
  'a referrer': { headers: { Referer: `http://localhost/${'%'.repeat(1900)}` } },
} as Record<string, { path?: string; headers?: Record<string, string> }>).map(
  ([what, { path = PAGE, headers = {} }]): Entry => [
    'Regular expressions',
    what,
    async ({ shell }) => {
      const startedAt = performance.now();
      const answer = await send(shell + path, { headers });
      const ms = Math.round(performance.now() - startedAt);
      return ms > SLOW_MS ? `${ms} ms` : unless(answer.status < 500, answer);
    },
  ],
);

const SOURCES = [
  'shell/src/{both,server,extensions}/**/*.ts',
  'shared-contracts/*/src/**/*.ts',
  'infra/service-kit/src/**/*.ts',
  'infra/services/*/src/**/*.ts',
];
/** What a header or a URL holds at most; characters. */
const PUMPED = 16_000;

/** The literals of regular expressions in what runs on servers. */
function patterns(): readonly string[] {
  const root = resolve(import.meta.dirname, '../../../../..');
  const found = new Set<string>();
  for (const file of globSync(SOURCES, { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] })) {
    const source = ts.createSourceFile(
      file,
      readFileSync(resolve(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
    );
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.add(node.text);
      node.forEachChild(visit);
    };
    visit(source);
  }
  return [...found];
}

/** Long repetitions of what a pattern looks for, which don't match at their end. */
function pumpedTexts(pattern: string): readonly string[] {
  const own = [...new Set(pattern.replace(/\\[a-zA-Z]/g, ''))].slice(0, 24);
  const atoms = [...new Set([...own, 'a', '0', ' ', '-', '/', '.', '=', '"'])];
  const pairs = own.slice(0, 8).flatMap((one) => own.slice(0, 8).map((other) => one + other));
  return [...atoms, ...pairs].map((atom) => `${atom.repeat(PUMPED / atom.length)}\u0001`);
}

const EVERY_PATTERN: Entry = [
  'Regular expressions',
  `each in the services, with ${PUMPED} characters that make it try every way`,
  async () => {
    const all = patterns();
    if (all.length < 100) return `only ${all.length} found`;
    const context = createContext({ texts: [] as readonly string[] });
    for (const pattern of all) {
      context['texts'] = pumpedTexts(pattern);
      await wait(0);
      try {
        // One text at a time: the limit is for one.
        for (let n = 0; n < (context['texts'] as string[]).length; n += 1)
          runInContext(`${pattern}.test(texts[${n}])`, context, { timeout: SLOW_MS });
      } catch (error) {
        return `${pattern}: ${String(error)}`;
      }
    }
    return undefined;
  },
];

const SLOW_CLIENTS = 300;
const SLOW: readonly Entry[] = [
  ['headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  [
    'a body',
    'POST /cars-for-sale/svc/page-event HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n',
  ],
].map(([what = '', start = '']): Entry => [
  'Slow clients',
  `${SLOW_CLIENTS} connections send ${what} byte by byte, while a page is requested`,
  async ({ shell }) => {
    const { hostname, port } = new URL(shell);
    const sockets = Array.from({ length: SLOW_CLIENTS }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(start));
      return socket.on('error', () => socket.destroy());
    });
    const drip = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x')), 500);
    try {
      await wait(1_500);
      const startedAt = performance.now();
      const answer = await send(shell + PAGE);
      const ms = Math.round(performance.now() - startedAt);
      return ms > SLOW_MS ? `${ms} ms` : unless(answer.status === 200, answer);
    } finally {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    }
  },
]);

const EVENTS = '/cars-for-sale/svc/page-event';
const bomb =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (site: Site) =>
    send(site.shell + EVENTS, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: site.shell, ...headers },
      body,
    });
const BOMBS: readonly Entry[] = [
  ['Bombs', 'JSON of 30,000 levels', answers([400], bomb('['.repeat(30_000) + ']'.repeat(30_000)))],
  ['Bombs', 'a body of 2 MB', answers([400, 413], bomb(JSON.stringify('x'.repeat(2_000_000))))],
  [
    'Bombs',
    '100 MB in 100 KB of gzip',
    answers([400, 413, 415], bomb(gzipSync(Buffer.alloc(100_000_000)), { 'Content-Encoding': 'gzip' })),
  ],
  [
    'Bombs',
    'a URL of 100 KB',
    async ({ shell }) =>
      (await exchange(shell, `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).startsWith(
        'HTTP/1.1 431',
      )
        ? undefined
        : 'accepted',
  ],
];

/** Requests that parsers, proxies and caches could read differently, or that cost too much to read. */
export const PROTOCOL_ATTACKS: readonly Entry[] = [
  ...HOSTS,
  ...NO_HOST,
  ...POISON,
  ...INJECTION,
  ...SMUGGLING,
  ...POLLUTION,
  ...REDOS,
  EVERY_PATTERN,
  ...SLOW,
  ...BOMBS,
];
