import { Worker } from 'node:worker_threads';
import { RenderFailure, type RenderedSlot, type RenderJob } from '../slotRenderer.ts';
import type { FromWorker, ToWorker, WorkerData } from './protocol.ts';

export interface WorkerLimits {
  /** A view that runs longer, or a thread that is silent for longer, is ended. */
  readonly paintMs: number;
  readonly bootMs: number;
  readonly heapMb: number;
  readonly youngMb: number;
  /** Buffers are not in the heap: over this the worker is replaced. */
  readonly externalMb: number;
}

interface Running {
  readonly job: RenderJob;
  readonly resolve: (slot: RenderedSlot) => void;
  readonly reject: (failure: RenderFailure) => void;
}

export interface Death {
  readonly reason: string;
  /** It had to be ended: a loop that held the thread, and a core with it. */
  readonly isHang: boolean;
}

export interface ReleaseWorker {
  /** `expiresAt` in ms since the epoch: a job still queued then is not run. */
  readonly render: (job: RenderJob, expiresAt: number) => Promise<RenderedSlot>;
  readonly end: () => Promise<void>;
  /** Resolves when the thread ends by itself; jobs that were not to blame have been rejected with NOT_PREPARED. */
  readonly died: Promise<Death>;
}

/** What `load` learns of a failed call. */
const describeFailure = (error: unknown) => {
  const { code } = (error ?? {}) as { code?: unknown };
  return { message: String(error), code: typeof code === 'string' ? code : 'FAILED' };
};

/** Starts a thread for one release. Rejects when it is not ready in time or unusable. */
export async function startReleaseWorker(
  file: string,
  data: WorkerData,
  limits: WorkerLimits,
  hear: { readonly stray: (message: string) => void; readonly output: (text: string) => void },
): Promise<ReleaseWorker> {
  const worker = new Worker(file, {
    workerData: data,
    // Nothing of the shell's environment or arguments reaches a remote's code.
    env: { NODE_ENV: 'production' },
    argv: [],
    execArgv: [],
    // What a release prints belongs into the shell's log, not between its lines.
    stdout: true,
    stderr: true,
    // A render's garbage fits into a small young generation; the default keeps 48 MB a thread.
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: limits.youngMb },
  });
  for (const stream of [worker.stdout, worker.stderr])
    stream.on('data', (text: Buffer) => hear.output(text.toString('utf8')));
  const running = new Map<number, Running>();
  let lastId = 0;
  let painting: { id: number; timer: NodeJS.Timeout } | undefined;
  let silence: NodeJS.Timeout | undefined;
  let ready: () => void = () => {};
  let unusable: (error: Error) => void = () => {};
  let die: (death: Death) => void = () => {};
  let isDead = false;
  const died = new Promise<Death>((resolve) => {
    die = resolve;
  });

  const post = (message: ToWorker) => worker.postMessage(message);

  function stopPainting(id: number) {
    if (painting?.id !== id) return;
    clearTimeout(painting.timer);
    painting = undefined;
  }

  /** Asks for a sign of life: whoever loops outside of a view, as in `load`, holds the thread just the same. */
  function probe() {
    silence ??= setTimeout(
      () => kill(`its thread was silent for ${limits.paintMs} ms`, { isHang: true }),
      limits.paintMs,
    );
  }

  function stopClocks() {
    clearTimeout(painting?.timer);
    clearTimeout(silence);
  }

  function measure(bytes: number) {
    if (bytes > limits.externalMb * 1024 * 1024) kill('its buffers outgrew their limit');
  }

  function kill(
    reason: string,
    { failure = new Error(reason), isHang = false }: { failure?: Error; isHang?: boolean } = {},
  ) {
    if (isDead) return;
    isDead = true;
    const culprit = painting?.id;
    stopClocks();
    void worker.terminate();
    unusable(failure);
    for (const [id, { reject }] of running) {
      reject(new RenderFailure(id === culprit ? 'DIED' : 'NOT_PREPARED', reason));
    }
    running.clear();
    die({ reason, isHang });
  }

  function receive(message: FromWorker) {
    switch (message.kind) {
      case 'ready':
        return ready();
      case 'unusable':
        return kill(message.message, {
          ...(message.leftRunning && {
            failure: new RenderFailure('LEFT_RUNNING', message.leftRunning.join(', ')),
          }),
        });
      case 'stray':
        return hear.stray(message.message);
      case 'alive':
        clearTimeout(silence);
        silence = undefined;
        return undefined;
      case 'painting': {
        const paintMs = running.get(message.id)?.job.paintMs ?? limits.paintMs;
        painting = {
          id: message.id,
          timer: setTimeout(() => kill(`a view ran longer than ${paintMs} ms`, { isHang: true }), paintMs),
        };
        return undefined;
      }
      case 'call': {
        const { id, call, name, params } = message;
        const job = running.get(id)?.job;
        if (!job) {
          post({ kind: 'failure', call, message: 'the slot was abandoned', code: 'CANCELLED' });
          return undefined;
        }
        void job.call(name, params, job.signal).then(
          (value) => isDead || post({ kind: 'result', call, value }),
          (error: unknown) => isDead || post({ kind: 'failure', call, ...describeFailure(error) }),
        );
        return undefined;
      }
      case 'done': {
        stopPainting(message.id);
        running.get(message.id)?.resolve({
          html: message.html,
          data: message.data,
          structuredData: message.structuredData,
          page: message.page,
        });
        running.delete(message.id);
        return measure(message.memory);
      }
      case 'failed':
        stopPainting(message.id);
        running.get(message.id)?.reject(new RenderFailure('THREW', message.message));
        running.delete(message.id);
        return measure(message.memory);
    }
  }

  worker.on('message', receive);
  worker.on('error', (error) => kill(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => kill(`its thread ended with ${code}`));
  worker.unref();

  const bootTimer = setTimeout(() => kill(`not ready in ${limits.bootMs} ms`), limits.bootMs);
  try {
    await new Promise<void>((resolve, reject) => {
      ready = resolve;
      unusable = reject;
    });
  } finally {
    clearTimeout(bootTimer);
  }

  return {
    died,
    render: (job, expiresAt) =>
      new Promise((resolve, reject) => {
        if (job.signal.aborted) return reject(new RenderFailure('CANCELLED', 'nobody waits for it'));
        if (isDead) return reject(new RenderFailure('NOT_PREPARED', 'its worker is gone'));
        const id = (lastId += 1);
        const leave = () => {
          // What the job still does in the thread no longer matters; a view that hangs is ended by its own limit.
          if (!running.delete(id)) return;
          post({ kind: 'abort', id });
          probe();
        };
        job.signal.addEventListener('abort', leave, { once: true });
        const settle =
          <T>(end: (value: T) => void) =>
          (value: T) => {
            job.signal.removeEventListener('abort', leave);
            end(value);
          };
        running.set(id, { job, resolve: settle(resolve), reject: settle(reject) });
        post({ kind: 'render', id, slot: job.slot, state: job.state, expiresAt });
      }),
    async end() {
      isDead = true;
      stopClocks();
      for (const { reject } of running.values())
        reject(new RenderFailure('CANCELLED', 'the release was retired'));
      running.clear();
      await worker.terminate();
    },
  };
}
