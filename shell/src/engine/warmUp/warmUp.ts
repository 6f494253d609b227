import { Agent, createServer, request as httpRequest, type RequestListener } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

export interface WarmUpOptions {
  /** Path and query of the page with this number. No two are the same: a cache would answer the second. */
  readonly pathOf: (number: number) => string;
  /** Of the site. */
  readonly host: string;
  readonly maxPages: number;
  /** CPU time of this process after which no further page is requested; so does twice the time by the clock. */
  readonly cpuMs: number;
  /** Aborted when no further page must be requested. */
  readonly signal: AbortSignal;
}

/** While one page is rendered by releases' processes, the shell's thread works on another. */
const PAGES_AT_A_TIME = 2;
/** A busy machine delays the start, but not for long. Pages in flight are aborted after another unit. */
const CLOCK_FACTOR = 2;
/** A browser's; crawlers get other pages. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** What browsers accept, and those behind a proxy that compresses. */
const CODINGS = ['gzip, deflate, br, zstd', 'gzip, deflate, br', 'identity'];

/** Connections within this process: no other program can send a request. */
class InnerAgent extends Agent {
  readonly #accept: (socket: Duplex) => void;

  constructor(accept: (socket: Duplex) => void) {
    // A pipe has none of the options of a socket by which an agent keeps it.
    super({ keepAlive: false });
    this.#accept = accept;
  }

  override createConnection(): Duplex {
    const [client, server] = duplexPair();
    this.#accept(Object.assign(server, { remoteAddress: '127.0.0.1' }));
    return client;
  }
}

/** Requests pages of an app until the time or their number is over, and resolves to how many there were. Never rejects. */
export async function warmUp(
  app: RequestListener,
  { pathOf, host, maxPages, cpuMs, signal }: WarmUpOptions,
): Promise<{ readonly pages: number; readonly failed: number; readonly ms: number }> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const cpu = process.cpuUsage();
  const isSpent = () => {
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1_000 >= cpuMs || elapsed() >= cpuMs * CLOCK_FACTOR;
  };
  const server = createServer(app);
  const agent = new InnerAgent((socket) => server.emit('connection', socket));
  const timeout = AbortSignal.timeout(cpuMs * (CLOCK_FACTOR + 1));
  const open = (number: number) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        Host: host,
        'User-Agent': USER_AGENT,
        'Accept-Encoding': CODINGS[number % CODINGS.length],
      };
      const request = httpRequest({ agent, path: pathOf(number), headers, signal: timeout }, (response) => {
        response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      request.on('error', reject).end();
    });
  let pages = 0;
  let failed = 0;
  const work = async () => {
    while (pages < maxPages && !isSpent() && !signal.aborted) {
      pages += 1;
      const status = await open(pages - 1).catch(() => 0);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_A_TIME }, work));
  agent.destroy();
  server.closeAllConnections();
  return { pages, failed, ms: Math.round(elapsed()) };
}
