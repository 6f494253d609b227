import { type CreateRateCounters, createRateCounters } from '@forecourt/service-kit/rateCounters';
import * as openId from 'openid-client';
import { type IncomingHttpHeaders, type Server, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAccounts } from '../accounts/accounts.ts';
import type { Sql } from '@forecourt/service-kit/sql';
import { createAccountStore, createLinks, openFile } from '../store/accountStore.ts';
import { createApp } from '../app.ts';
import { LOCAL_LIMITS, type Limits, type Metrics, createMetrics } from '../http/middleware.ts';
import { type StoredMail, createMailOutbox } from '../mail/outbox.ts';
import { createAdapterFactory, createEndSessions, generateKeys, type Keys } from '../oidc/storage.ts';

export const SHOP = 'http://127.0.0.1:9999';
export const CLIENT_ID = 'shop';

export interface PageResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Absolute redirect target. */
  readonly location: URL | undefined;
}

/** An HTTP client with a cookie jar that does not follow redirects. */
export interface Visitor {
  readonly get: (url: string | URL) => Promise<PageResponse>;
  readonly post: (
    url: string | URL,
    form: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<PageResponse>;
  /** Starts an authorization request as the shop does. */
  readonly begin: (parameters?: Record<string, string>) => Promise<Visit>;
}

export interface Visit {
  readonly base: string;
  readonly page: string;
  readonly csrf: string;
  readonly checks: { readonly codeVerifier: string; readonly state: string; readonly nonce: string };
}

export interface IdentityRig {
  readonly origin: string;
  readonly sql: Sql;
  readonly metrics: Metrics;
  readonly log: Record<string, unknown>[];
  /** The shop's OIDC client. */
  readonly client: () => Promise<openId.Configuration>;
  readonly visitor: (localAddress?: string) => Visitor;
  /** The newest mail to an address and its link. */
  readonly mailTo: (email: string) => Promise<StoredMail & { readonly link: string }>;
  /** Follows redirects until they lead to the shop. */
  readonly toShop: (visitor: Visitor, response: PageResponse) => Promise<URL>;
  readonly stop: () => Promise<void>;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** RFC 6265, 5.1.4. */
const isWithin = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

function send(
  origin: string,
  jar: Map<string, Cookie>,
  url: string | URL,
  method: string,
  body: string | undefined,
  extra: Record<string, string>,
  localAddress?: string,
): Promise<PageResponse> {
  const target = new URL(url, origin);
  const cookies = [...jar.values()].filter(({ path }) => isWithin(target.pathname, path));
  const headers = {
    accept: 'text/html',
    ...(cookies.length > 0
      ? { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
      : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded', origin }),
    ...extra,
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(target, { method, headers, agent: false, localAddress }, (response) => {
      const parts: Buffer[] = [];
      // A response that breaks off has no end.
      response.on('error', reject);
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        for (const line of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/';
          const key = `${name} ${path}`;
          if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(key);
          else jar.set(key, { name, value, path });
        }
        const { location } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
          location: location === undefined ? undefined : new URL(location, target),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A replica of the service over a database, with its log kept in memory. */
function createTestApp(rig: {
  readonly sql: Sql;
  readonly keys: Keys;
  readonly origin: string;
  readonly metrics: Metrics;
  readonly log: Record<string, unknown>[];
  readonly limits: Limits;
  readonly logoutUri: string;
  readonly counters?: CreateRateCounters | undefined;
}) {
  const { sql, keys, origin, metrics, log, limits, logoutUri } = rig;
  const outbox = createMailOutbox(sql);
  return createApp(
    {
      accounts: createAccounts({
        store: createAccountStore(sql),
        links: createLinks(sql),
        outbox,
        transaction: sql.transaction,
      }),
      endSessions: createEndSessions(sql),
      outbox,
      adapter: createAdapterFactory(sql),
      keys,
      metrics,
      logger: pino(
        { level: 'info' },
        { write: (line) => log.push(JSON.parse(line) as Record<string, unknown>) },
      ),
      isReady: sql.isAvailable,
      counters: rig.counters,
    },
    {
      OIDC_ISSUER: origin,
      OIDC_CLIENTS: {
        shell: { id: CLIENT_ID, origins: [SHOP], logoutUri },
        room: { id: 'forecourt-room', origins: ['http://localhost:4100'] },
      },
      TRUST_PROXY: 0,
      LOCAL_MODE: true,
      SMTP_URL: undefined,
      limits,
      logoutRetryMs: [20, 20],
    },
  );
}

/** The shop's OIDC client, which reads the issuer's configuration at its first use. */
export function createClient(origin: string): IdentityRig['client'] {
  let configuration: Promise<openId.Configuration> | undefined;
  return () =>
    (configuration ??= openId.discovery(new URL(origin), CLIENT_ID, undefined, openId.None(), {
      execute: [openId.allowInsecureRequests, openId.enableNonRepudiationChecks],
    }));
}

/** A visitor with an empty cookie jar. */
export function createVisitor(origin: string, client: IdentityRig['client'], localAddress?: string): Visitor {
  const cookies = new Map<string, Cookie>();
  const get: Visitor['get'] = (url) => send(origin, cookies, url, 'GET', undefined, {}, localAddress);
  return {
    get,
    post: (url, form, headers = {}) =>
      send(origin, cookies, url, 'POST', new URLSearchParams(form).toString(), headers, localAddress),
    async begin(parameters = {}) {
      const checks = {
        codeVerifier: openId.randomPKCECodeVerifier(),
        state: openId.randomState(),
        nonce: openId.randomNonce(),
      };
      const url = openId.buildAuthorizationUrl(await client(), {
        redirect_uri: `${SHOP}/account/callback`,
        scope: 'openid profile email',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(checks.codeVerifier),
        code_challenge_method: 'S256',
        ...parameters,
      });
      const redirect = await get(url);
      if (!redirect.location) throw new Error(`no interaction: ${redirect.status} ${redirect.text}`);
      const { text } = await get(redirect.location);
      return {
        base: redirect.location.pathname,
        page: text,
        csrf: /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '',
        checks,
      };
    },
  };
}

/** Follows redirects until they lead to the shop. */
async function followToShop(browser: Visitor, response: PageResponse): Promise<URL> {
  let at = response;
  for (let hops = 0; hops < 5; hops += 1) {
    if (!at.location)
      throw new Error(`stopped at ${at.status}: ${/<h1>.*?<.h1>/.exec(at.text)?.[0] ?? at.text}`);
    if (at.location.origin === SHOP) return at.location;
    at = await browser.get(at.location);
  }
  throw new Error('too many redirects');
}

/**
 * Starts the service on a free port, by default with an empty database. With several `databases`, connections to the same
 * data, there is a replica per connection, and each request goes to the next one. The shop does not run.
 */
export async function startIdentity(
  options: {
    readonly limits?: Limits;
    readonly databases?: readonly Sql[];
    /** Where the shop receives logout tokens; by default nothing listens there. */
    readonly logoutUri?: string;
  } = {},
): Promise<IdentityRig> {
  const directory = mkdtempSync(join(tmpdir(), 'identity-'));
  const { databases = [openFile(join(directory, 'identity.sqlite'))], logoutUri = `${SHOP}/logout` } =
    options;
  const sql = databases[0]!;
  const keys = generateKeys();
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metrics = createMetrics();
  const log: Record<string, unknown>[] = [];
  const outbox = createMailOutbox(sql);
  const limits = options.limits ?? LOCAL_LIMITS;
  const replicas = databases.map((database) =>
    createTestApp({
      sql: database,
      keys,
      origin,
      metrics,
      log,
      limits,
      logoutUri,
      counters: options.databases && createRateCounters(database),
    }),
  );
  let requests = 0;
  server.on('request', (request, response) => {
    replicas[requests++ % replicas.length]!(request, response);
  });
  const client = createClient(origin);

  return {
    origin,
    sql,
    metrics,
    log,
    client,
    visitor: (localAddress) => createVisitor(origin, client, localAddress),
    async mailTo(email) {
      const mail = (await outbox.newest(1000)).find(({ to }) => to === email);
      if (!mail) throw new Error(`no mail to ${email}`);
      return { ...mail, link: /^http\S+$/m.exec(mail.text)?.[0] ?? '' };
    },
    toShop: followToShop,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const database of databases) await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
