import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { BROWSER_USER_AGENT } from '@forecourt/harness/serverHtml';
import { freePort, startService } from '@forecourt/local';
import { signUp } from '@forecourt/harness/shopper';
import type { ProofContext } from '../proof.ts';

export const PAGES_PER_MINUTE = 60;
const SECONDS_PER_MINUTE = 10;
export const PAGE = '/cars-for-sale/all-cars';
/** In no text of the site. */
export const MARK = 'Xenophon7';
/** Path of a call of the API that slots may make. */
export const call = (name: string, params = '') => `/cars-for-sale/api/call/${name}?${params}`;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Address of the client, of 127.0.0.0/8: each is a network of its own. */
  readonly from?: string;
}

/** One request, with exactly these headers. */
export const send = (url: string, { method = 'GET', headers = {}, body, from }: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port, origin } = new URL(url);
    // The path as it is written: URL would normalize it.
    const path = url.slice(origin.length) || '/';
    const all = { 'User-Agent': BROWSER_USER_AGENT, ...headers };
    const client = { ...(from !== undefined && { localAddress: from, hostname: '127.0.0.1' }) };
    const options = { hostname, port, path, method, headers: all, agent: false, ...client };
    const request = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });

export const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): Sent => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'forecourt', ...headers },
  body: JSON.stringify(body),
});

/** What a server says to raw bytes, until it closes the connection or for a second. */
export const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
    setTimeout(() => socket.destroy(), 1000);
  });

export async function startSite({ onEnd }: Pick<ProofContext, 'onEnd'>) {
  const environment = {
    CACHE_SECONDS: 'pages=60,slots=0',
    SITE_HOSTS: 'localhost,127.0.0.1',
    RENDER_LIMITS: `pagesPerMinute=${PAGES_PER_MINUTE},secondsPerMinute=${SECONDS_PER_MINUTE}`,
  };
  const stack = await startOwnStack({ environment });
  onEnd(stack.remove);
  const { shell, identity, 'marketplace-api': api } = stack.urls;
  // As an operator starts it who sets nothing.
  const port = await freePort();
  const bare = startService({
    name: 'marketplace-api',
    folder: 'infra/services/marketplace-api',
    script: 'src/server.ts',
    port,
    logDir: stack.dataDir,
    environment: {
      LOCAL_MODE: '',
      NODE_OPTIONS: '',
      DATA_DIR: join(stack.dataDir, 'bare'),
      MARKETPLACE_API_PORT: String(port),
    },
  });
  onEnd(() => bare.stop());
  await bare.ready();
  const [ada, eve] = [await signUp(shell, identity), await signUp(shell, identity)];
  const outbox = async () =>
    (
      (await (await fetch(`${api}/outbox`)).json()) as {
        mails: { to: string; kind: string; subject: string }[];
      }
    ).mails;
  const listing = /\/cars-for-sale\/vehicle\/(\d+)/.exec((await send(shell + PAGE)).text)?.[1] ?? '';
  return {
    shell,
    identity,
    api,
    bareApi: `http://127.0.0.1:${port}`,
    dataDir: stack.dataDir,
    /** Of the services that visitors reach. */
    processes: () => {
      const { shell, identity, 'marketplace-api': api } = stack.pids;
      return { shell, identity, api };
    },
    ada,
    eve,
    outbox,
    listing,
  };
}
export type Site = Awaited<ReturnType<typeof startSite>>;

interface Vehicle {
  readonly listing: { readonly vin: string };
  readonly owner: { readonly id: string | number };
}
export const vehicleOf = async (api: string, id: string): Promise<Vehicle> =>
  (await (await fetch(`${api}/rest/lsc/listing/${id}`)).json()) as Vehicle;

/** The same site without what settings protect: any host, no budgets of renderings, and an API in local mode. */
export async function withoutProtection(site: Site, { onEnd }: Pick<ProofContext, 'onEnd'>): Promise<Site> {
  const { urls, remove } = await startOwnStack({ environment: { CACHE_SECONDS: 'pages=60,slots=0' } });
  onEnd(remove);
  const { shell, identity, 'marketplace-api': api } = urls;
  return { ...site, shell, api, bareApi: api, ada: await signUp(shell, identity) };
}

/** Resolves to what the attack achieved, or to undefined if it was repelled. */
export type Attack = (site: Site) => Promise<string | undefined>;
export type Entry = readonly [topic: string, attack: string, run: Attack];

export const unless = (
  isRepelled: boolean,
  { status, text }: Pick<Answer, 'status' | 'text'>,
): string | undefined => (isRepelled ? undefined : `${status} ${text.slice(0, 80).replaceAll(/\s+/g, ' ')}`);
/** Repelled if the answer has one of these statuses. */
export const answers =
  (statuses: readonly number[], attack: (site: Site) => Promise<Answer>): Attack =>
  async (site) => {
    const answer = await attack(site);
    return unless(statuses.includes(answer.status), answer);
  };
