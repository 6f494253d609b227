import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProbeReport, ProbeThreadData, ProbeThreadMessage } from './probePort.ts';

// Runs in a thread of its own, so that probes are answered while the shell's own thread is busy with pages.

/** The shell's thread reports twice a second. Without a report for so long it hangs, which no load explains; ms. */
const HUNG_MS = 60_000;

const { port, host } = workerData as ProbeThreadData;
const shell = parentPort as NonNullable<typeof parentPort>;
const send = (message: ProbeThreadMessage) => shell.postMessage(message);
let report: ProbeReport = { status: 503, body: '{"status":"starting"}' };
let reportedAt = performance.now();

shell.on('message', (next: ProbeReport) => {
  report = next;
  reportedAt = performance.now();
});

/** A busy shell is live, and ready as it last was: restarting it would add to the load of the others. */
function answerTo(url: string | undefined): ProbeReport {
  const isHung = performance.now() - reportedAt > HUNG_MS;
  if (url !== '/health/live' && url !== '/health/ready') return { status: 404, body: '{}' };
  if (isHung) return { status: 503, body: '{"status":"hung"}' };
  return url === '/health/live' ? { status: 200, body: '{"status":"live"}' } : report;
}

const server = createServer((request, response) => {
  const { status, body } = answerTo(request.url);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
});
server.on('error', ({ message }) => send({ kind: 'failed', message }));
server.listen(port, host, () => send({ kind: 'listening' }));
