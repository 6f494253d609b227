import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startEdge } from '@forecourt/deploy/nginx';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { startReplica } from '@forecourt/harness/shellReplica';
import { freePort, removeDataDir, REPOSITORY, type Service, startService } from '@forecourt/local';
import type { ProofContext } from '../proof.ts';
import { DEALER_AUTHORIZATION, FEED_MAP, SOURCE } from './dealerFeed.ts';
import {
  CI_ISSUER,
  FEED_HOST,
  IDENTITY_HOST,
  FORGED_MAIL_HOST,
  MAIL_HOST,
  MAIL_PORTS,
  OTHER_SITE_HOST,
  OTHER_SITE_PORT,
  ROOM_HOST,
  ROOM_PORT,
  SITE_ADDRESS,
  SITE_HOST,
} from './hosts.data.ts';

/** Of every service, and the registry's token. */
export const SECRET = 'production-proof-secret-of-32-characters';
export const SITE = `https://${SITE_HOST}`;
export const ISSUER_OF_SITE = `https://${IDENTITY_HOST}`;
export const OTHER_SITE = `https://${OTHER_SITE_HOST}:${OTHER_SITE_PORT}`;
export const ROOM = `https://${ROOM_HOST}:${ROOM_PORT}`;
const TLS_CONF = join(REPOSITORY, 'infra/deploy/nginx/tls.conf');

/** What the registry lets the CI of mfe-showcase do. */
export const CI = {
  remote: 'mfe-showcase',
  audience: 'https://registry.forecourt.example',
  subject: 'repo:acme/showcase:ref:refs/heads/main',
} as const;
const TRUSTED_PUBLISHERS = [
  {
    remote: CI.remote,
    actions: ['publish', 'promote'],
    issuer: CI_ISSUER,
    audience: CI.audience,
    claims: { sub: CI.subject },
  },
];

/** Starts the deployed edge with TLS on the site's public address. */
async function startTlsEdge(
  folder: string,
  tlsFolder: string,
  port: number,
  servers: { readonly shell: number; readonly identity: number },
): Promise<() => Promise<void>> {
  mkdirSync(join(folder, 'server.d'), { recursive: true });
  writeFileSync(
    join(folder, 'server.d/tls.conf'),
    readFileSync(TLS_CONF, 'utf8')
      .replace('listen 8443', `listen ${SITE_ADDRESS}:${port}`)
      .replace('/run/secrets/tls_certificate', join(tlsFolder, 'tls.crt'))
      .replace('/run/secrets/tls_key', join(tlsFolder, 'tls.key')),
  );
  const server = (upstream: number) => `server 127.0.0.1:${upstream};`;
  const edge = await startEdge(folder, await freePort(), {
    PUBLIC_SCHEME: 'https',
    SHELL_SERVERS: server(servers.shell),
    IDENTITY_SERVERS: server(servers.identity),
    IDENTITY_HOST,
  });
  return () => edge.stop();
}

/** An operator's proxy with TLS in front of a registry. */
async function startTlsProxy(tlsFolder: string, upstream: number): Promise<() => Promise<void>> {
  const tls = {
    cert: readFileSync(join(tlsFolder, 'tls.crt')),
    key: readFileSync(join(tlsFolder, 'tls.key')),
  };
  const proxy = createServer(tls, (request, response) => {
    const { method, url: path, headers } = request;
    const forwarded = httpRequest({ port: upstream, method, path, headers }, (received) => {
      response.writeHead(received.statusCode ?? 0, received.headers);
      received.pipe(response);
    });
    forwarded.once('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(ROOM_PORT, SITE_ADDRESS, resolve));
  return async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  };
}

/** An operator's list of one feed, which is imported once by itself. Returns its path. */
export function writeFeeds(folder: string, from: string): string {
  writeFileSync(join(folder, `${SOURCE}.map.json`), JSON.stringify(FEED_MAP));
  const path = join(folder, `${encodeURIComponent(from)}.json`);
  const feed = {
    from,
    map: `${SOURCE}.map.json`,
    schedule: '0 0 1 1 *',
    authorization: 'DEALER_AUTHORIZATION',
  };
  writeFileSync(path, JSON.stringify({ feeds: { [SOURCE]: feed } }));
  return path;
}

/** Copies the database of the running API. */
function copyInventory(from: string, to: string): void {
  const db = new DatabaseSync(join(from, 'marketplace.sqlite'), { readOnly: true });
  db.exec(`VACUUM INTO '${join(to, 'marketplace.sqlite')}'`);
  db.close();
}

/** Mail servers by what becomes of emails to them. */
export const MAIL_SERVERS = {
  starttls: `smtp://${MAIL_HOST}:${MAIL_PORTS.starttls}`,
  implicitTls: `smtps://${MAIL_HOST}:${MAIL_PORTS.implicitTls}`,
  plain: `smtp://${MAIL_HOST}:${MAIL_PORTS.plain}`,
  forgedStarttls: `smtp://${FORGED_MAIL_HOST}:${MAIL_PORTS.starttls}`,
  forgedImplicitTls: `smtps://${FORGED_MAIL_HOST}:${MAIL_PORTS.implicitTls}`,
} as const;

/** Steps that end a part of the proof: at its end, or when the proof is interrupted. */
function partOf(onEnd: ProofContext['onEnd']) {
  const steps: (() => Promise<void>)[] = [];
  return {
    onEnd: (step: () => Promise<void> | void): void => {
      let ending: Promise<void> | undefined;
      const endOnce = () => (ending ??= Promise.resolve(step()));
      steps.push(endOnce);
      onEnd(endOnce);
    },
    end: async (): Promise<void> => {
      for (const endOnce of steps.toReversed()) await endOnce();
    },
  };
}

/** The shell of the other site at its issuer. */
export const CLIENT = { id: 'forecourt-shell', secret: SECRET } as const;

export type OtherSite = Awaited<ReturnType<Site['startOther']>>;
export type Site = Awaited<ReturnType<typeof startProductionSite>>;

type Environment = Readonly<Record<string, string>>;

/**
 * All services outside local mode behind the edge, as compose.yaml starts them. `tlsFolder` has the certificate of all hosts;
 * `photos` says where the API stores photos.
 */
export async function startProductionSite(
  { tlsFolder, photos }: { tlsFolder: string; photos: Environment },
  { onEnd }: ProofContext,
) {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-production-'));
  onEnd(() => removeDataDir(folder));
  const ports: number[] = [];
  for (let count = 0; count < 4; count += 1) ports.push(await freePort(ports));
  const [shell, api, registry, identity] = ports as [number, number, number, number];
  const shared = {
    LOCAL_MODE: 'false',
    OIDC_CLIENT_SECRET: SECRET,
    SESSION_SECRET: SECRET,
    GATE_TOKEN: SECRET,
    RELEASE_ISOLATION: 'strictest',
    TRUST_PROXY: '1',
    DEALER_AUTHORIZATION,
  };
  const feeds = writeFeeds(folder, `https://${FEED_HOST}/stock.csv`);
  const stack = await startOwnStack({
    ports: { shell, 'marketplace-api': api, 'remote-registry': registry, identity },
    environment: {
      ...shared,
      ...photos,
      OIDC_ISSUER: ISSUER_OF_SITE,
      OIDC_CLIENTS: JSON.stringify({ shell: { secret: SECRET, origins: [SITE] } }),
      REGISTRY_TOKEN: SECRET,
      TRUSTED_PUBLISHERS: JSON.stringify(TRUSTED_PUBLISHERS),
      SHELL_URLS: `http://127.0.0.1:${shell}`,
      SITE_URL: SITE,
      PUBLIC_API_URL: SITE,
      SMTP_URL: MAIL_SERVERS.starttls,
      FEEDS_FILE: feeds,
    },
  });
  onEnd(stack.remove);
  onEnd(await startTlsEdge(folder, tlsFolder, 443, { shell, identity }));

  /** The site for accounts of another issuer: an API and a shell of its own. */
  async function startOther(issuer: string, photosOfOther: Environment = {}) {
    const context = partOf(onEnd);
    const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-production-'));
    context.onEnd(() => removeDataDir(dataDir));
    copyInventory(stack.dataDir, dataDir);
    const port = await freePort();
    const environment = {
      ...shared,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      SITE_URL: OTHER_SITE,
      PUBLIC_API_URL: OTHER_SITE,
    };
    let ownApi: Service | undefined;
    /** Starts the API, again if it runs. */
    async function startApi(mailServer: keyof typeof MAIL_SERVERS): Promise<void> {
      await ownApi?.stop();
      ownApi = startService({
        name: 'marketplace-api',
        folder: 'infra/services/marketplace-api',
        script: 'src/server.ts',
        port,
        logDir: dataDir,
        environment: {
          ...environment,
          ...photosOfOther,
          HOST: '127.0.0.1',
          DATA_DIR: dataDir,
          MARKETPLACE_API_PORT: String(port),
          SMTP_URL: MAIL_SERVERS[mailServer],
        },
      });
      await ownApi.ready();
    }
    context.onEnd(() => ownApi?.stop());
    await startApi('starttls');
    const ownShell = await startReplica(
      stack,
      join(dataDir, 'shell'),
      { ...environment, CACHE_SECONDS: 'pages=0,slots=0', MARKETPLACE_API_URL: `http://127.0.0.1:${port}` },
      context.onEnd,
    );
    const stopEdge = await startTlsEdge(join(dataDir, 'edge'), tlsFolder, OTHER_SITE_PORT, {
      shell: ownShell.port,
      identity,
    });
    context.onEnd(stopEdge);
    return {
      site: OTHER_SITE,
      dataDir,
      shell: ownShell.url,
      api: `http://127.0.0.1:${port}`,
      startApi,
      log: join(dataDir, 'marketplace-api.log'),
      end: context.end,
    };
  }
  /** A registry of its own, which answers at the host of the control room. */
  async function startRegistry(settings: Environment) {
    const context = partOf(onEnd);
    const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-production-'));
    context.onEnd(() => removeDataDir(dataDir));
    const port = await freePort();
    const registry = startService({
      name: 'remote-registry',
      folder: 'infra/services/remote-registry',
      script: 'src/server.ts',
      port,
      logDir: dataDir,
      environment: {
        ...shared,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        REGISTRY_TOKEN: SECRET,
        ...settings,
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        REGISTRY_PORT: String(port),
      },
    });
    context.onEnd(() => registry.stop());
    try {
      await registry.ready();
    } catch (error) {
      await context.end();
      throw error;
    }
    context.onEnd(await startTlsProxy(tlsFolder, port));
    return { url: `http://127.0.0.1:${port}`, end: context.end };
  }
  return { stack, folder, feeds, startOther, startRegistry };
}
