import { Socket } from 'node:net';
import process from 'node:process';
import { ContainerError } from '@forecourt/releases/containerError';
import type { Call, SlotModule } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import { loadSlotModules } from '../container.ts';
import type { ReleaseSite } from '../releaseSite.ts';
import { openChannel } from './channel.ts';
import type { FromRelease, ToRelease } from './protocol.ts';
import { StateReceiver } from './stateEncoder.ts';
import { createHook } from 'node:async_hooks';
import { randomFill } from 'node:crypto';
import { setTimeout } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { messageOf, stackOf } from '../../universal/messageOf.ts';

/**
 * Promises and messages are not running work; a release's output goes through a
 * message port. Everything else is: timers (unref'ed ones too), sockets, files.
 */
const PASSING = /^(?:PROMISE|Microtask|TickObject|MESSAGEPORT|WORKER|RANDOMBYTESREQUEST)$/i;
/** Time for short-lived resources to end: a timer of 0 ms does not count. */
const SETTLE_MS = 100;
const POLL_MS = 10;

/** Watches which resources this thread creates. Call right before a release is loaded. */
function watchResources(): {
  /** Kinds of resources that are still running, e.g. 'Timeout'. Stops watching. */
  readonly leftRunning: () => Promise<string[]>;
} {
  const running = new Map<number, string>();
  /** Resources that the release created, and those that they created in turn. */
  const started = new Set<number>();
  let isLoading = true;
  let isOwn = false;
  const hook = createHook({
    init(id, kind, trigger) {
      if (isOwn || !(isLoading || started.has(trigger))) return;
      started.add(id);
      if (!PASSING.test(kind)) running.set(id, kind);
    },
    destroy: (id) => void running.delete(id),
  }).enable();
  const ownPause = () => {
    isOwn = true;
    const over = pause(POLL_MS);
    isOwn = false;
    return over;
  };
  return {
    async leftRunning() {
      isLoading = false;
      for (let waited = 0; running.size > 0 && waited < SETTLE_MS; waited += POLL_MS) await ownPause();
      hook.disable();
      return [...new Set(running.values())].sort();
    },
  };
}

/** Without a job for this long, the process returns memory that it does not need. */
const IDLE_MS = 10_000;
/** A heap that has grown by less is left alone: what it collects is computed again by the next render; bytes. */
const GROWN_BYTES = 8 * 1024 * 1024;

/** V8 collects when the heap is full, which an idle one never is: it would keep the garbage of its last renders. */
class IdleCollector {
  readonly #collect: typeof gc;
  readonly #timer = setTimeout(() => this.#idle(), IDLE_MS).unref();
  /** Size of the heap when it was last collected. */
  #collectedBytes = 0;

  /** Takes `gc` of `--expose-gc` away from the release, which is not loaded yet. */
  constructor() {
    this.#collect = globalThis.gc;
    // It can't be deleted.
    globalThis.gc = undefined;
  }

  jobStarted(): void {
    this.#timer.refresh();
  }

  #idle(): void {
    const grown = () => getHeapStatistics().total_heap_size - this.#collectedBytes;
    if (grown() < GROWN_BYTES) return;
    // Also discards compiled code that was not used lately.
    this.#collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    this.#collectedBytes += grown();
  }
}

/** The shell trusts no message from here, and limits each; this limit only guards against a broken stream. */
const MAX_BYTES = 512 * 1024 * 1024;

type Render = Extract<ToRelease, { kind: 'render' }> & { readonly state: () => object };

/**
 * The program of a release's process. It renders one release and nothing else; the sandbox around it is what keeps the
 * release from everything else, not this function. Call it once, first.
 */
export function runReleaseProgram(site: ReleaseSite): void {
  const pipe = new Socket({ fd: 3 });
  const jobs = new Map<number, AbortController>();
  const calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const queue: Render[] = [];
  const states = new StateReceiver();
  const collector = new IdleCollector();
  let lastCall = 0;
  let modules: ReadonlyMap<string, SlotModule> = new Map();

  const exit = process.exit.bind(process);
  // Opened now, so that a release that prints is not taken for one that leaves a pipe open.
  void [process.stdout, process.stderr];
  const channel = openChannel<FromRelease>(pipe, {
    maxHeaderBytes: MAX_BYTES,
    maxBodyBytes: MAX_BYTES,
    receive: (header, body) => receive(header as ToRelease, body),
    broken: () => exit(1),
  });
  const send = (message: FromRelease, html?: string) =>
    channel.send(message, html === undefined ? [] : [Buffer.from(html)]);
  // The shell has ended: so does this process.
  pipe.on('close', () => exit(0));
  pipe.on('error', () => exit(0));

  process.on('uncaughtException', (error) => send({ kind: 'uncaughtError', message: messageOf(error) }));
  process.on('unhandledRejection', (error) => send({ kind: 'uncaughtError', message: messageOf(error) }));
  // What bundles of releases read of it; also keeps well-meant code from `process.exit`.
  Object.defineProperty(globalThis, 'process', {
    value: Object.freeze({ env: Object.freeze({ NODE_ENV: 'production' }) }),
  });

  const callOf =
    (id: number): Call =>
    (name, params) =>
      new Promise((resolve, reject) => {
        const call = (lastCall += 1);
        calls.set(call, { resolve: resolve as (value: unknown) => void, reject });
        send({ kind: 'call', id, call, name, params });
      });

  async function render(
    { id, slot, state, checksReads, loaded }: Render,
    controller: AbortController,
  ): Promise<void> {
    try {
      const module = modules.get(slot);
      if (!module) throw new Error(`no slot ${slot}`);
      const { html, ...rest } = await renderSlot(site.state, module, {
        slot,
        state: state(),
        checksReads,
        loaded,
        call: callOf(id),
        signal: controller.signal,
        // The view may not return: the shell must know of it, and what was sent before must be written.
        onPaint() {
          const [oldest] = jobs.keys();
          if (oldest !== id) send({ kind: 'rendering', id });
          channel.flush();
        },
      });
      send({ kind: 'done', id, ...rest } as FromRelease, html);
    } catch (error) {
      send({ kind: 'failed', id, message: messageOf(error), stack: stackOf(error) });
    } finally {
      jobs.delete(id);
    }
  }

  /** One job per turn of the event loop, so that a job abandoned while it was queued is not run. */
  function runNext(): void {
    const job = queue.shift();
    if (!job) return;
    const controller = jobs.get(job.id);
    if (controller) void render(job, controller);
    if (queue.length > 0) setImmediate(runNext);
  }

  async function load(
    { program: { releaseId, ...side } }: Extract<ToRelease, { kind: 'load' }>,
    sources: ReadonlyMap<string, string>,
  ): Promise<void> {
    const resources = watchResources();
    try {
      modules = await loadSlotModules({ ...side, sources }, { label: releaseId, site });
    } catch (error) {
      const fault = error instanceof ContainerError ? error.fault : undefined;
      return void send({ kind: 'unusable', message: messageOf(error), ...(fault && { fault }) });
    }
    const leftRunning = await resources.leftRunning();
    if (leftRunning.length > 0)
      send({ kind: 'unusable', message: 'its modules left something running', leftRunning });
    else send({ kind: 'ready' });
  }

  function receive(message: ToRelease, body: Buffer): void {
    switch (message.kind) {
      case 'load':
        return void load(message, new Map(JSON.parse(body.toString('utf8')) as [string, string][]));
      case 'render':
        jobs.set(message.id, new AbortController());
        collector.jobStarted();
        // The body is a view into the read buffer, which the next chunk does not overwrite.
        if (queue.push({ ...message, state: states.read(message.parts, body) }) === 1) setImmediate(runNext);
        return;
      case 'abort':
        jobs.get(message.id)?.abort();
        jobs.delete(message.id);
        return void send({ kind: 'alive' });
      default: {
        const call = calls.get(message.call);
        calls.delete(message.call);
        if (message.kind === 'result') call?.resolve(message.value);
        else call?.reject(Object.assign(new Error(message.message), { code: message.code }));
      }
    }
  }

  // Starts the thread pool: the sandbox allows no further threads once it runs.
  randomFill(new Uint8Array(1), () => send({ kind: 'started' }));
}
