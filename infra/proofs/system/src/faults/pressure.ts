import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '@forecourt/harness/statistics';
import { startVisitors } from '@forecourt/harness/visitors';
import { BROWSER_USER_AGENT } from '@forecourt/harness/serverHtml';
import type { Stack } from '@forecourt/local';
import { completePage, httpGet } from '../pages.ts';
import { untilCalm, type Finding, noFailures, reported, required } from '../proof.ts';
import { type Shopper } from '@forecourt/harness/shopper';
import { REQUIRED_SLOTS } from './upstreamFaults.ts';

const MAX_HEALTH_MS = 100;
const MAX_MEMORY_MB = 700;
const OVERLOAD_MS = 20_000;
const MAKES = ['ford', 'toyota', 'honda', 'chevrolet', 'bmw', 'audi', 'kia', 'mazda'];

/** Times liveness over new connections, in a process of its own: this one is busy with visitors. */
async function probeHealth(url: string, ms: number): Promise<{ times: number[]; failures: number }> {
  const script = `const { get } = require('node:http');
    const times = []; let failures = 0; const end = Date.now() + ${ms};
    const probe = () => new Promise((done) => { const from = performance.now();
      get('${url}', { agent: false }, (response) => { response.resume(); if (response.statusCode !== 200) failures += 1;
        response.on('end', () => { times.push(performance.now() - from); done(); }); })
        .on('error', () => { failures += 1; done(); }); });
    (async () => { while (Date.now() < end) { await probe(); await new Promise((next) => setTimeout(next, 100)); }
      process.stdout.write(JSON.stringify({ times, failures })); })();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await new Promise((resolve) => child.once('close', resolve));
  return JSON.parse(output) as { times: number[]; failures: number };
}

/** Peak resident memory of a process so far; MB. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function overload(stack: Stack, probePort: number, connections: number): Promise<Finding[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let refused = 0;
  const visits = startVisitors(connections, 0, async (visit) => {
    const path = `/cars-for-sale/all/${MAKES[visit % MAKES.length]}?minPrice=${1_000 + (visit % 997)}`;
    const { status, headers, isComplete, lastMs } = await httpGet(stack.urls.shell + path, agent, 'br');
    if (status === 503 && headers['retry-after']) refused += 1;
    else if (status !== 200) throw new Error(`status ${status}`);
    else if (!isComplete) throw new Error('truncated');
    else times.push(lastMs);
  });
  const health = await probeHealth(`http://127.0.0.1:${probePort}/health/live`, OVERLOAD_MS);
  await visits.stop();
  agent.destroy();
  const at = `at ${connections} connections`;
  const p99 = quantile(health.times, 0.99);
  return [
    noFailures(`requests ${at}`, visits.count(), visits.failures),
    reported(`Pages, refusals with Retry-After ${at}`, `${times.length}, ${refused}`),
    reported(
      `p50, p99 of pages ${at}`,
      `${Math.round(quantile(times, 0.5))} ms, ${Math.round(quantile(times, 0.99))} ms`,
    ),
    required(`Failed liveness probes ${at}`, health.failures, '0', health.failures === 0),
    required(
      `p99 of ${health.times.length} liveness probes ${at}`,
      `${Math.round(p99)} ms`,
      `≤ ${MAX_HEALTH_MS} ms`,
      p99 <= MAX_HEALTH_MS,
    ),
  ];
}

/** More visitors than the shell has capacity for, without pauses. */
export async function pressure(stack: Stack, probePort: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const connections of [64, 256]) findings.push(...(await overload(stack, probePort, connections)));
  const peak = peakMemory(stack.pids.shell as number);
  return [
    ...findings,
    required(
      'Peak memory of the shell',
      `${Math.round(peak)} MB`,
      `< ${MAX_MEMORY_MB} MB`,
      peak < MAX_MEMORY_MB,
    ),
  ];
}

const SLOW_CLIENTS = 60;
const SLOW_MS = 15_000;
const PAGE = '/cars-for-sale/all/ford';

/** Requests a page and reads nothing of it, until the returned function closes the connection. */
function openSlowly(url: string): () => void {
  const request = get(url, { agent: false, headers: { 'user-agent': BROWSER_USER_AGENT } }, (response) => {
    response.pause();
    response.on('error', () => undefined);
  });
  request.on('error', () => undefined);
  return () => request.destroy();
}

/** Clients that do not read their page must not cost others theirs. */
export async function slowClients(stack: Stack): Promise<readonly Finding[]> {
  const url = stack.urls.shell + PAGE;
  const closes = Array.from({ length: SLOW_CLIENTS }, () => openSlowly(url));
  // So many pages at once are shed; what follows must not be.
  await wait(3_000);
  await untilCalm(stack.urls.shell);
  const visits = startVisitors(2, 50, async () => void (await completePage(url)));
  await wait(SLOW_MS);
  await visits.stop();
  for (const close of closes) close();
  return [
    noFailures(`visits beside ${SLOW_CLIENTS} clients that do not read`, visits.count(), visits.failures),
  ];
}

const SOAK_MS = 120_000;

/** Visitors with pauses, without faults: every slot of every page is there. */
export async function soak(
  stack: Stack,
  { signedIn, signedOut }: { readonly signedIn: Shopper; readonly signedOut: Shopper },
  ids: readonly string[],
): Promise<readonly Finding[]> {
  const { shell } = stack.urls;
  await untilCalm(shell);
  let empty = 0;
  const visits = startVisitors(2, 150, async (visit) => {
    const shopper = visit % 3 === 0 ? signedIn : signedOut;
    const isVehicle = visit % 4 === 0;
    const path = isVehicle
      ? `/cars-for-sale/vehicle/${ids[visit % ids.length]}`
      : `/cars-for-sale/all/${MAKES[visit % MAKES.length]}?minPrice=${visit}&zip=60601`;
    const { status, text } = await shopper.open(shell + path);
    if (status !== 200 || !text.endsWith('</html>')) throw new Error(`${path}: status ${status}`);
    const missing = REQUIRED_SLOTS.filter((slot) =>
      new RegExp(`data-slot="${slot}"[^>]*data-empty`).test(text),
    );
    if (missing.length > 0) {
      empty += 1;
      throw new Error(`${path}: without ${missing.join(', ')}`);
    }
  });
  await wait(SOAK_MS);
  await visits.stop();
  return [
    noFailures(`visits in ${SOAK_MS / 1000} s without faults`, visits.count(), visits.failures),
    required('Of these, with an empty toolbar, results or filters', empty, '0', empty === 0),
  ];
}
