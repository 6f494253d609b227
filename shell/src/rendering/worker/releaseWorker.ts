import { Worker } from 'node:worker_threads';
import { RenderFailure, type RenderedSlot, type RenderJob } from '../slotRenderer.ts';
import type { FromWorker, ToWorker, WorkerData } from './protocol.ts';

export interface WorkerLimits {
  /** A view that runs longer holds the thread: it is ended. */
  readonly paintMs: number;
  readonly bootMs: number;
  readonly heapMb: number;
  /** Buffers are not in the heap: over this the worker is replaced. */
  readonly externalMb: number;
}

interface Running {
  readonly job: RenderJob;
  readonly resolve: (slot: RenderedSlot) => void;
  readonly reject: (failure: RenderFailure) => void;
}

export interface ReleaseWorker {
  readonly render: (job: RenderJob) => Promise<RenderedSlot>;
  readonly end: () => Promise<void>;
  /** Jobs that were under way and not to blame when it died. */
  readonly died: Promise<{ reason: string }>;
}

/** Starts a thread for one release. Rejects when it is not ready in time or unusable. */
export async function startReleaseWorker(
  file: string,
  data: WorkerData,
  limits: WorkerLimits,
  onStray: (message: string) => void,
): Promise<ReleaseWorker> {
  const worker = new Worker(file, {
    workerData: data,
    // Nothing of the shell's environment or arguments reaches a remote's code.
    env: { NODE_ENV: 'production' },
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  });
  const running = new Map<number, Running>();
  let lastId = 0;
  let painting: { id: number; timer: NodeJS.Timeout } | undefined;
  let ready: () => void = () => {};
  let unusable: (error: Error) => void = () => {};
  let die: (death: { reason: string }) => void = () => {};
  let isDead = false;
  const died = new Promise<{ reason: string }>((resolve) => {
    die = resolve;
  });

  const post = (message: ToWorker) => worker.postMessage(message);

  function stopPainting(id: number) {
    if (painting?.id !== id) return;
    clearTimeout(painting.timer);
    painting = undefined;
  }

  function kill(reason: string) {
    if (isDead) return;
    isDead = true;
    const culprit = painting?.id;
    if (painting) clearTimeout(painting.timer);
    void worker.terminate();
    unusable(new Error(reason));
    for (const [id, { reject }] of running) {
      reject(new RenderFailure(id === culprit ? 'DIED' : 'NOT_PREPARED', reason));
    }
    running.clear();
    die({ reason });
  }

  function hear(message: FromWorker) {
    switch (message.kind) {
      case 'ready':
        return ready();
      case 'unusable':
        return kill(message.message);
      case 'stray':
        return onStray(message.message);
      case 'painting':
        painting = {
          id: message.id,
          timer: setTimeout(() => kill(`a view ran longer than ${limits.paintMs} ms`), limits.paintMs),
        };
        return undefined;
      case 'call': {
        const { id, call, name, params } = message;
        const job = running.get(id)?.job;
        if (!job) return undefined;
        void job.call(name, params, job.signal).then(
          (value) => isDead || post({ kind: 'answer', call, value }),
          (error: unknown) => isDead || post({ kind: 'refusal', call, message: String(error) }),
        );
        return undefined;
      }
      case 'done': {
        stopPainting(message.id);
        running.get(message.id)?.resolve({ html: message.html, data: message.data });
        running.delete(message.id);
        if (message.memory > limits.externalMb * 1024 * 1024) kill('its buffers outgrew their limit');
        return undefined;
      }
      case 'failed':
        stopPainting(message.id);
        running.get(message.id)?.reject(new RenderFailure('THREW', message.message));
        running.delete(message.id);
        return undefined;
    }
  }

  worker.on('message', hear);
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
    render: (job) =>
      new Promise((resolve, reject) => {
        if (isDead) return reject(new RenderFailure('NOT_PREPARED', 'its worker is gone'));
        const id = (lastId += 1);
        const leave = () => {
          // What the job still does in the thread no longer matters; a view that hangs is ended by its own limit.
          if (running.delete(id)) post({ kind: 'abort', id });
        };
        job.signal.addEventListener('abort', leave, { once: true });
        const settle =
          <T>(end: (value: T) => void) =>
          (value: T) => {
            job.signal.removeEventListener('abort', leave);
            end(value);
          };
        running.set(id, { job, resolve: settle(resolve), reject: settle(reject) });
        post({ kind: 'render', id, slot: job.slot, state: job.state });
      }),
    async end() {
      isDead = true;
      if (painting) clearTimeout(painting.timer);
      for (const { reject } of running.values())
        reject(new RenderFailure('CANCELLED', 'the release was retired'));
      running.clear();
      await worker.terminate();
    },
  };
}
