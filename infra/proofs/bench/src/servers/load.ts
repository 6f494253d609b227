import autocannon from 'autocannon';
import { median } from '../report/statistics.ts';
import { cpuSeconds } from './processUsage.ts';

export const CONNECTIONS = 32;

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** CPU of the server's process, all threads. */
  readonly cpuMsPerRequest: number;
  /** Median time from a request to the head of its answer, under this load. */
  readonly firstByteMs: number;
  /** Answers other than 2xx, errors and timeouts. */
  readonly failed: number;
}

/** Full load on one of this machine's own servers; process `pid` is charged. */
export async function measureLoad(url: string, pid: number, seconds: number): Promise<LoadResult> {
  const firstBytes: number[] = [];
  const before = cpuSeconds(pid);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'accept-encoding': 'br' },
    setupClient(client) {
      // One request at a time on each connection: the next one leaves when an answer has come.
      let asked = performance.now();
      client.on('headers', () => void firstBytes.push(performance.now() - asked));
      client.on('response', () => {
        asked = performance.now();
      });
    },
  });
  const answered = Math.max(1, result['2xx']);
  return {
    requestsPerSecond: answered / result.duration,
    cpuMsPerRequest: ((cpuSeconds(pid) - before) * 1000) / answered,
    firstByteMs: median(firstBytes),
    failed: result.non2xx + result.errors,
  };
}

/** Times to the first byte of single requests, one after the other, in ms. */
export async function measureFirstByte(url: string, times: number): Promise<number[]> {
  const measured: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const started = performance.now();
    const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
    const reader = response.body?.getReader();
    await reader?.read();
    measured.push(performance.now() - started);
    while (reader && !(await reader.read()).done);
  }
  return measured;
}
