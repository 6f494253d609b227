import { median } from '../report.ts';
import { loadAutocannon } from '../tools.ts';
import { cpuSeconds, processTree } from './processes.ts';

export const CONNECTIONS = 32;

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** CPU of the server process and its children, all threads. */
  readonly cpuMsPerRequest: number;
  /** Median time to response headers under this load. */
  readonly firstByteMs: number;
  /** Non-2xx responses, errors and timeouts. */
  readonly failed: number;
}

/** Loads a server on this machine for some seconds and measures the CPU of process `pid` and its children. */
export async function measureLoad(url: string, pid: number, seconds: number): Promise<LoadResult> {
  const autocannon = await loadAutocannon();
  const firstBytes: number[] = [];
  const cpu = () => processTree(pid).reduce((sum, each) => sum + cpuSeconds(each), 0);
  const before = cpu();
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'accept-encoding': 'br' },
    setupClient(client) {
      // Each connection sends one request at a time.
      let requestedAt = performance.now();
      client.on('headers', () => void firstBytes.push(performance.now() - requestedAt));
      client.on('response', () => {
        requestedAt = performance.now();
      });
    },
  });
  const responses = Math.max(1, result['2xx']);
  return {
    requestsPerSecond: responses / result.duration,
    cpuMsPerRequest: ((cpu() - before) * 1000) / responses,
    firstByteMs: median(firstBytes),
    failed: result.non2xx + result.errors,
  };
}

/** Times to first byte of sequential requests, in ms. */
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
