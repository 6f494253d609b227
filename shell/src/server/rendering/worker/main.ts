import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import type { Call, SlotModule } from '@forecourt/shared-contracts/slots';
import { loadSlotModules } from '../container.ts';
import { watchResources } from './leftRunning.ts';
import type { FromWorker, ToWorker, WorkerData } from './protocol.ts';

// One thread renders one release, so that a leak or a hang affects no other.
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
const send = (message: FromWorker) => port.postMessage(message);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const jobs = new Map<number, AbortController>();
const calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
let lastCall = 0;

// Releases must not reach the environment or `process.exit`.
Object.defineProperty(globalThis, 'process', {
  value: Object.freeze({ env: Object.freeze({ NODE_ENV: 'production' }) }),
});
process.on('uncaughtException', (error) => send({ kind: 'stray', message: messageOf(error) }));
process.on('unhandledRejection', (error) => send({ kind: 'stray', message: messageOf(error) }));

const callOf =
  (id: number): Call =>
  (name, params) =>
    new Promise((resolve, reject) => {
      const call = (lastCall += 1);
      calls.set(call, { resolve: resolve as (value: unknown) => void, reject });
      send({ kind: 'call', id, call, name, params });
    });

async function run(modules: ReadonlyMap<string, SlotModule>, job: Extract<ToWorker, { kind: 'render' }>) {
  const { id, slot, state, expiresAt } = job;
  // It was queued for too long: its page is sent without it.
  if (Date.now() >= expiresAt) return;
  const controller = new AbortController();
  jobs.set(id, controller);
  try {
    const module = modules.get(slot);
    if (!module) throw new Error(`no slot ${slot}`);
    const { html, data, structuredData, page } = await renderSlot(module, {
      slot,
      state,
      call: callOf(id),
      signal: controller.signal,
      onPaint: () => send({ kind: 'painting', id }),
    });
    // Only JSON travels on to the browser, so nothing else may reach the shell.
    const plain = <T>(value: T): T =>
      value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
    send({
      kind: 'done',
      id,
      html,
      data: plain(data),
      structuredData: plain(structuredData),
      page: plain(page),
      memory: process.memoryUsage().external,
    });
  } catch (error) {
    send({ kind: 'failed', id, message: messageOf(error), memory: process.memoryUsage().external });
  } finally {
    jobs.delete(id);
  }
}

const { entry, sources, slots, releaseId } = workerData as WorkerData;
const resources = watchResources();
loadSlotModules(sources, entry, slots, releaseId).then(
  async (modules) => {
    const leftRunning = await resources.leftRunning();
    if (leftRunning.length > 0)
      return send({ kind: 'unusable', message: 'its modules left something running', leftRunning });
    port.on('message', (message: ToWorker) => {
      if (message.kind === 'render') void run(modules, message);
      else if (message.kind === 'abort') {
        jobs.get(message.id)?.abort();
        jobs.delete(message.id);
        send({ kind: 'alive' });
      } else {
        const call = calls.get(message.call);
        calls.delete(message.call);
        if (message.kind === 'result') call?.resolve(message.value);
        else call?.reject(Object.assign(new Error(message.message), { code: message.code }));
      }
    });
    send({ kind: 'ready' });
  },
  (error: unknown) => send({ kind: 'unusable', message: messageOf(error) }),
);
