import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addressOf } from './pool.ts';

/** ms to connect. */
const CONNECT_TIMEOUT_MS = 5_000;
/** ms until the next attempt to connect. */
const RETRY_MS = 1_000;

interface TurnOptions {
  readonly url: string;
  readonly schema: string;
  /** What to call after turns, by the name of `Sql.inTurn`. */
  readonly turns: Readonly<Record<string, () => void>>;
  /** Called when it couldn't connect, or the connection was lost: then it connects again. */
  readonly onError?: (error: Error) => void;
}

export interface TurnListener {
  close(): Promise<void>;
}

/**
 * Listens to transactions in turn of all processes. Each connect counts as a turn, because what came before was missed. While
 * the connection is away nothing is called, so whoever listens also looks from time to time.
 */
export function listenForTurns({ url, schema, turns, onError }: TurnOptions): TurnListener {
  const closing = new AbortController();

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: addressOf(url).href,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    client.on('error', (error) => onError?.(error));
    client.on('notification', ({ channel }) => turns[channel.slice(schema.length + 1)]?.());
    const end = () => void client.end().catch(() => undefined);
    closing.signal.addEventListener('abort', end);
    try {
      await client.connect();
      for (const name of Object.keys(turns))
        await client.query(`LISTEN ${client.escapeIdentifier(`${schema} ${name}`)}`);
      for (const onTurn of Object.values(turns)) onTurn();
      await ended;
    } catch (error) {
      onError?.(error as Error);
      end();
    } finally {
      closing.signal.removeEventListener('abort', end);
    }
  }

  const listening = (async () => {
    while (!closing.signal.aborted) {
      await listen();
      await wait(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();
  return {
    async close() {
      closing.abort();
      await listening;
    },
  };
}
