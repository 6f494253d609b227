import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../proof.ts';
import type { ApiReplica } from './apiReplica.ts';

export const WRITERS = 4;
/** Acknowledged writes per phase. */
export const WRITES = 400;
const PHASE_MS = 60_000;

/** Writes leads through both replicas; a write without an acknowledgement is repeated, with the same key, at the other. */
export function startLeadWriters(replicas: readonly ApiReplica[], lead: object) {
  const acknowledged: string[] = [];
  const repeated = new Map<string, number>();
  let phase = '';
  let ended = false;
  const send = async (key: string, { port }: ApiReplica): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${port}/cars-for-sale/svc/email-owner`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...lead, comments: key, idempotencyKey: key }),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => undefined);
    return response?.ok === true;
  };
  const write = async (writer: number) => {
    for (let count = 0; !ended; count += 1) {
      const key = `writer-${writer}-lead-${count}`;
      for (let attempt = 0; !ended; attempt += 1) {
        const during = phase;
        if (await send(key, replicas[(writer + count + attempt) % replicas.length]!)) {
          acknowledged.push(key);
          break;
        }
        repeated.set(during, (repeated.get(during) ?? 0) + 1);
        await wait(50);
      }
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return {
    acknowledged,
    repeated,
    begin(next: string): void {
      phase = next;
    },
    /** Resolves after `WRITES` further acknowledged writes. */
    async untilAcknowledged(): Promise<void> {
      const goal = acknowledged.length + WRITES;
      await until(`${WRITES} writes while: ${phase}`, () => acknowledged.length >= goal, {
        limitMs: PHASE_MS,
      });
    },
    async stop(): Promise<void> {
      ended = true;
      await writing;
    },
  };
}

export type LeadWriters = ReturnType<typeof startLeadWriters>;
