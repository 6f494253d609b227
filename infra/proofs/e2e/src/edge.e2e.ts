import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { findNginx, startEdge } from '@forecourt/deploy/nginx';
import { BROWSER_USER_AGENT, F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { freePort, REPOSITORY } from '@forecourt/local';
import { MAKE_OFFER_VERSION } from '@forecourt/upstream/agreements';
import { after, before, describe, it } from 'mocha';
import { skipTest } from './consoleErrors.ts';
import { openBrowser } from './openBrowser.ts';
import { shellOrigin } from './sharedStack.ts';

interface Row {
  /** First of the paths: '/assets/…'. */
  readonly path: string;
  readonly stored: boolean;
  readonly cacheControl: string;
}

/** The table of the page about deploying: what may be cached. */
function readTable(): Row[] {
  const page = readFileSync(join(REPOSITORY, 'infra/deploy/README.md'), 'utf8');
  const [, table = ''] = /\| path +\| edge and CDN[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n)+)/.exec(page) ?? [];
  return [...table.matchAll(/^\| *`([^`]+)`[^|]*\| *(.*?) *\|.*\| *`([^`]+)` *\|$/gm)].map(
    ([, path = '', edge = '', cacheControl = '']) => ({
      path,
      stored: !edge.startsWith('never'),
      cacheControl,
    }),
  );
}

const canMakeEdge = (): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    execFileSync(findNginx(), ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

describe('the product behind the deployed edge, with TLS and HTTP/2', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-edge-'));
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  let edge: Awaited<ReturnType<typeof startEdge>> | undefined;
  let client: ClientHttp2Session | undefined;
  let origin = '';

  before(async () => {
    if (!canMakeEdge()) skipTest();
    const options =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost';
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', [...options.split(' '), ...files], { stdio: 'ignore' });
    const shell = `server ${new URL(shellOrigin()).host.replace('localhost', '127.0.0.1')};`;
    const port = await freePort();
    const tlsPort = await freePort([port]);
    edge = await startEdge(
      folder,
      port,
      {
        PUBLIC_SCHEME: 'https',
        SHELL_SERVERS: shell,
        IDENTITY_SERVERS: shell,
        IDENTITY_HOST: 'identity.localhost',
      },
      { port: tlsPort, certificate, key },
    );
    origin = `https://localhost:${tlsPort}`;
    client = connect(origin, { ca: readFileSync(certificate), rejectUnauthorized: false });
  });
  after(async () => {
    client?.close();
    await edge?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const stream = client!.request({ ':path': path, 'user-agent': BROWSER_USER_AGENT, ...headers });
      const chunks: Buffer[] = [];
      let answer: IncomingHttpHeaders = {};
      stream.on('response', (given) => (answer = given));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () =>
        resolve({ status: Number(answer[':status']), headers: answer, body: Buffer.concat(chunks) }),
      );
      stream.on('error', reject);
      stream.end();
    });

  /** A path of the row, as the page has it. */
  async function pathOf({ path }: Row): Promise<string> {
    if (!path.endsWith('…')) return path;
    const beginning = path.slice(0, -1);
    if (beginning === '/cars-for-sale/') return F150_NEAR_CHICAGO;
    if (beginning === '/cars-for-sale/api/call/') return `${beginning}reference?makeCode=FORD`;
    const page = (await send(F150_NEAR_CHICAGO)).body.toString();
    const start = page.indexOf(`"${beginning}`) + 1;
    if (start > 0) return page.slice(start, page.indexOf('"', start));
    return beginning === '/static/'
      ? `/static/make-offer/${MAKE_OFFER_VERSION}/make-offer.js`
      : assert.fail(`no ${path} in the page`);
  }

  const VARIANTS: readonly Record<string, string>[] = [
    { cookie: 'sid=11111111-1111-4111-8111-111111111111' },
    { 'accept-language': 'de' },
    { 'accept-encoding': 'gzip;q=0.5, identity' },
  ];

  it('has a table of what may be cached', () => {
    assert.ok(readTable().length >= 10, String(readTable().length));
  });

  for (const row of readTable())
    it(`keeps ${row.path} ${row.stored ? 'once for everyone' : 'for nobody'}, and says so to browsers`, async () => {
      const path = await pathOf(row);
      const first = await send(path);
      assert.equal(first.headers['cache-control'], row.cacheControl, path);
      // In a cluster, what its own edge has said comes first.
      const edgeCache = async (asked: string, headers: Record<string, string> = {}) =>
        (await send(asked, headers)).headers['x-edge-cache']?.toString().split(', ').at(-1);
      if (!row.stored) {
        for (const headers of [{}, ...VARIANTS]) assert.equal(await edgeCache(path, headers), undefined);
        return;
      }
      for (const headers of [{}, ...VARIANTS]) assert.equal(await edgeCache(path, headers), 'HIT', path);
      assert.equal(await edgeCache(`${path}?other`), 'HIT');
      assert.equal(first.headers['set-cookie'], undefined);
      const br = await send(path, { 'accept-encoding': 'gzip, br, zstd' });
      assert.deepEqual((await send(path, { 'accept-encoding': 'br' })).body, br.body);
      assert.equal(await edgeCache(path, { 'accept-encoding': 'br' }), 'HIT');
    });

  it('keeps the dictionary of pages for everyone, and pages made with it for nobody', async () => {
    const document = { 'sec-fetch-dest': 'document', 'accept-encoding': 'gzip, br, zstd' };
    let hash: string | undefined;
    // A shell makes it with its first document.
    while (hash === undefined) {
      const { headers } = await send(F150_NEAR_CHICAGO, document);
      hash = /dictionary;desc="([\w-]+)"/.exec(String(headers['server-timing']))?.[1];
    }
    const path = `/assets/dictionary/${hash}`;
    const dictionary = await send(path);
    assert.equal(createHash('sha256').update(dictionary.body).digest('base64url'), hash);
    const cached = await send(path);
    assert.equal(cached.headers['x-edge-cache']?.toString().split(', ').at(-1), 'HIT');
    assert.equal(cached.headers['use-as-dictionary'], 'match="/cars-for-sale/*", match-dest=("document")');

    const available = `:${Buffer.from(hash, 'base64url').toString('base64')}:`;
    const withDictionary = {
      ...document,
      'accept-encoding': 'gzip, br, zstd, dcb, dcz',
      'available-dictionary': available,
    };
    // A replica without it sends another coding.
    let page = await send(F150_NEAR_CHICAGO, withDictionary);
    for (let more = 0; more < 10 && page.headers['content-encoding'] !== 'dcz'; more += 1)
      page = await send(F150_NEAR_CHICAGO, withDictionary);
    assert.equal(page.headers['content-encoding'], 'dcz');
    const html = zstdDecompressSync(page.body.subarray(40), { dictionary: dictionary.body }).toString();
    assert.match(html, /^<!doctype html>.*<\/html>$/s);
    assert.match(String(page.headers.vary), /available-dictionary/i);
    for (const others of [
      {},
      document,
      { ...withDictionary, 'available-dictionary': `:${'A'.repeat(43)}=:` },
    ])
      assert.notEqual((await send(F150_NEAR_CHICAGO, others)).headers['content-encoding'], 'dcz');
  });

  it('loads and hydrates in a browser', async () => {
    const session = await openBrowser(['--ignore-certificate-errors']);
    try {
      await session.url(origin + F150_NEAR_CHICAGO);
      await session.waitUntil(() =>
        session.execute(() => performance.getEntriesByName('slot:results:hydrated').length > 0),
      );
      const protocols = await session.execute(() =>
        [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
          (entry) => (entry as PerformanceResourceTiming).nextHopProtocol,
        ),
      );
      assert.deepEqual([...new Set(protocols)], ['h2']);
    } finally {
      await session.deleteSession();
    }
  });
});
