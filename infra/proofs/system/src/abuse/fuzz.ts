import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { randomNumbers } from '@forecourt/harness/randomNumbers';
import type { Entry, Site } from './site.ts';

const SEED = 7;
const CLIENTS = 12;
/** Share of the requests after which memory is flat, apart from garbage. */
const WARM = 0.25;
const MAX_GROWTH = 1.25;
const MAX_GROWTH_MB = 48;

const PIECES = [
  '%00',
  '%ff',
  '..',
  '/',
  '?',
  '&',
  '=',
  'zip',
  'makeCode',
  'FORD',
  '-1',
  '1e309',
  '[]',
  '{}',
  '"',
  '%F0%9F%9A%97',
  'null',
  '__proto__',
  'all',
  'vehicle',
  'confirm/',
  'unsubscribe/',
  'policy-report',
  'keyword=',
  'a'.repeat(300),
];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'];
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/csp-report',
  'text/plain',
  'x',
];

/** Makes one request after another, the same ones for the same seed. */
function requestsOf({ shell, api, identity }: Site, seed: number) {
  const random = randomNumbers(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const noise = () => Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(PIECES)).join('');
  const roots = [
    `${shell}/`,
    `${shell}/cars-for-sale/`,
    `${shell}/cars-for-sale/svc/`,
    `${shell}/account/`,
    `${shell}/cars-for-sale/api/call/`,
    `${api}/rest/lsc/`,
    `${api}/cars-for-sale/svc/`,
    `${api}/account-api/`,
    `${identity}/`,
  ];
  return () => ({
    url: pick(roots) + noise(),
    method: pick(METHODS),
    headers: {
      Cookie: `sid=${noise()}; account=${noise()}; flags=${noise()}`,
      Authorization: `Bearer ${noise()}`,
      'X-Consumer-Id': noise(),
      Accept: pick(['text/html', 'application/json', '*/*', noise()]),
      'Content-Type': pick(TYPES),
      Origin: pick([shell, 'null', noise()]),
    },
    body: random() < 0.5 ? JSON.stringify({ [noise()]: noise(), emailAddress: noise() }) : noise(),
  });
}
type Fuzzed = ReturnType<ReturnType<typeof requestsOf>>;

/** The status, after the whole response was read. */
const statusOf = (agent: Agent, { url, method, headers, body }: Fuzzed): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port, origin } = new URL(url);
    const path = url.slice(origin.length);
    const request = httpRequest(
      { hostname, port, path, method, headers, agent, timeout: 30_000 },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      },
    );
    request.on('timeout', () => request.destroy(new Error('no response in 30 s')));
    request.on('error', reject);
    const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    request.end(hasBody ? body : undefined);
  });

/** Resident memory by service, in MB. @throws Error for a service that has ended */
const memoryOf = (site: Site): Map<string, number> =>
  new Map(
    Object.entries(site.processes()).map(([name, pid]) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return [name, Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)];
    }),
  );

/** Sends every request of one client; resolves to what is wrong with a response. */
async function runClient(site: Site, seed: number, count: number): Promise<string | undefined> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const next = requestsOf(site, seed);
  try {
    for (let n = 0; n < count; n += 1) {
      const fuzzed = next();
      let status: number;
      try {
        status = await statusOf(agent, fuzzed);
      } catch (error) {
        // A server closes a connection after a response to a malformed request: once more on a new one.
        status = await statusOf(new Agent(), fuzzed).catch(() => Promise.reject(error as Error));
      }
      // 503 sheds load, on purpose.
      if (status >= 500 && status !== 503)
        return `${status} for ${fuzzed.method} ${fuzzed.url}, seed ${seed}`;
    }
    return undefined;
  } finally {
    agent.destroy();
  }
}

async function runClients(site: Site, seed: number, count: number): Promise<string | undefined> {
  const each = Math.ceil(count / CLIENTS);
  const wrong = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => runClient(site, seed + n, each)));
  return wrong.find((message) => message !== undefined);
}

/** Last, because it uses up every budget. Node ends a process with an unhandled rejection, which is why all must live on. */
export const fuzzing = (count: number): Entry => [
  'Fuzzing',
  `${count} requests with odd methods, paths, queries, headers and bodies, seeds ${SEED} to ${SEED + 2 * CLIENTS - 1}: no 5xx, no process ends, memory is flat`,
  async (site) => {
    const before = JSON.stringify(site.processes());
    const warmUp = Math.round(count * WARM);
    const wrong = await runClients(site, SEED, warmUp);
    if (wrong !== undefined) return wrong;
    const warm = memoryOf(site);
    const later = await runClients(site, SEED + CLIENTS, count - warmUp);
    if (later !== undefined) return later;
    if (JSON.stringify(site.processes()) !== before) return 'a process was replaced';
    const grown = [...memoryOf(site)].filter(
      ([name, mb]) => mb > warm.get(name)! * MAX_GROWTH + MAX_GROWTH_MB,
    );
    return grown.length > 0
      ? grown.map(([name, mb]) => `${name} grew from ${warm.get(name)} to ${mb} MB`).join(', ')
      : undefined;
  },
];
