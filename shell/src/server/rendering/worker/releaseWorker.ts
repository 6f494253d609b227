import { Worker } from 'node:worker_threads';
import { RenderFailure, type RenderedSlot, type RenderJob } from '../slotRenderer.ts';
import type { FromWorker, ToWorker, WorkerData } from './protocol.ts';

export interface WorkerLimits {
  /** A view that runs longer, or a thread that does not reply for longer, is terminated. */
  readonly paintMs: number;
  readonly bootMs: number;
  readonly heapMb: number;
  readonly youngMb: number;
  /** Buffers are outside the heap: a worker over this limit is replaced. */
  readonly externalMb: number;
}

interface PendingJob {
  readonly job: RenderJob;
  readonly resolve: (slot: RenderedSlot) => void;
  readonly reject: (failure: RenderFailure) => void;
}

interface Death {
  readonly reason: string;
  /** It was terminated because a loop blocked its thread. */
  readonly isHang: boolean;
}

export interface ReleaseWorker {
  /** `expiresAt` in ms since the epoch: a job still queued then is not run. */
  readonly render: (job: RenderJob, expiresAt: number) => Promise<RenderedSlot>;
  readonly end: () => Promise<void>;
  /** Resolves when the thread dies; jobs that did not cause it have been rejected with NOT_PREPARED. */
  readonly died: Promise<Death>;
}

interface Observers {
  readonly stray: (message: string) => void;
  readonly output: (text: string) => void;
}

/** What `load` learns about a failed call. */
const describeFailure = (error: unknown) => {
  const { code } = (error ?? {}) as { code?: unknown };
  return { message: String(error), code: typeof code === 'string' ? code : 'FAILED' };
};

/** Nothing of the shell's environment, arguments or output streams is shared with a remote's code. */
const createThread = (file: string, data: WorkerData, limits: WorkerLimits): Worker =>
  new Worker(file, {
    workerData: data,
    env: { NODE_ENV: 'production' },
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    // A render's garbage fits into a small young generation; the default is 48 MB per thread.
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: limits.youngMb },
  });

/** One thread and the jobs that it runs. */
class WorkerThread implements ReleaseWorker {
  readonly #worker: Worker;
  readonly #limits: WorkerLimits;
  readonly #observers: Observers;
  readonly #jobs = new Map<number, PendingJob>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #death = Promise.withResolvers<Death>();
  readonly died = this.#death.promise;
  #lastId = 0;
  #isDead = false;
  /** The job whose view runs now, and the timer that limits it. */
  #painting: { id: number; timer: NodeJS.Timeout } | undefined;
  /** Runs out if the thread does not reply to an abandoned job. */
  #silence: NodeJS.Timeout | undefined;

  constructor(worker: Worker, limits: WorkerLimits, observers: Observers) {
    this.#worker = worker;
    this.#limits = limits;
    this.#observers = observers;
    for (const stream of [worker.stdout, worker.stderr])
      stream.on('data', (text: Buffer) => observers.output(text.toString('utf8')));
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.#kill(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => this.#kill(`its thread ended with ${code}`));
    worker.unref();
  }

  /** Rejects when the release is unusable or not ready in time. */
  async ready(): Promise<void> {
    const { bootMs } = this.#limits;
    const timer = setTimeout(() => this.#kill(`not ready in ${bootMs} ms`), bootMs);
    try {
      await this.#ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  readonly render = (job: RenderJob, expiresAt: number): Promise<RenderedSlot> =>
    new Promise((resolve, reject) => {
      if (job.signal.aborted) return reject(new RenderFailure('CANCELLED', 'the client disconnected'));
      if (this.#isDead) return reject(new RenderFailure('NOT_PREPARED', 'its worker is gone'));
      const id = (this.#lastId += 1);
      const abandon = () => this.#abandon(id);
      job.signal.addEventListener('abort', abandon, { once: true });
      const settle =
        <T>(end: (value: T) => void) =>
        (value: T) => {
          job.signal.removeEventListener('abort', abandon);
          end(value);
        };
      this.#jobs.set(id, { job, resolve: settle(resolve), reject: settle(reject) });
      this.#post({ kind: 'render', id, slot: job.slot, state: job.state, expiresAt });
    });

  readonly end = async (): Promise<void> => {
    this.#isDead = true;
    this.#stopTimers();
    for (const { reject } of this.#jobs.values())
      reject(new RenderFailure('CANCELLED', 'the release was retired'));
    this.#jobs.clear();
    await this.#worker.terminate();
  };

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** The job's result no longer matters; a view that hangs is ended by its own limit. */
  #abandon(id: number): void {
    if (!this.#jobs.delete(id)) return;
    this.#post({ kind: 'abort', id });
    // A loop outside of a view, e.g. in `load`, blocks the thread as well.
    this.#silence ??= setTimeout(
      () => this.#kill(`its thread was silent for ${this.#limits.paintMs} ms`, { isHang: true }),
      this.#limits.paintMs,
    );
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        return this.#ready.resolve();
      case 'unusable': {
        const { leftRunning } = message;
        const failure = leftRunning && new RenderFailure('LEFT_RUNNING', leftRunning.join(', '));
        return this.#kill(message.message, failure && { failure });
      }
      case 'stray':
        return this.#observers.stray(message.message);
      case 'alive':
        clearTimeout(this.#silence);
        this.#silence = undefined;
        return undefined;
      case 'painting':
        return this.#startPainting(message.id);
      case 'call':
        return this.#call(message);
      case 'done': {
        const { html, data, structuredData, page } = message;
        return this.#settle(message, ({ resolve }) => resolve({ html, data, structuredData, page }));
      }
      case 'failed':
        return this.#settle(message, ({ reject }) => reject(new RenderFailure('THREW', message.message)));
    }
  }

  #startPainting(id: number): void {
    const paintMs = this.#jobs.get(id)?.job.paintMs ?? this.#limits.paintMs;
    const kill = () => this.#kill(`a view ran longer than ${paintMs} ms`, { isHang: true });
    this.#painting = { id, timer: setTimeout(kill, paintMs) };
  }

  #call({ id, call, name, params }: Extract<FromWorker, { kind: 'call' }>): void {
    const job = this.#jobs.get(id)?.job;
    if (!job)
      return this.#post({ kind: 'failure', call, message: 'the slot was abandoned', code: 'CANCELLED' });
    void job.call(name, params, job.signal).then(
      (value) => this.#isDead || this.#post({ kind: 'result', call, value }),
      (error: unknown) => this.#isDead || this.#post({ kind: 'failure', call, ...describeFailure(error) }),
    );
    return undefined;
  }

  #settle({ id, memory }: { id: number; memory: number }, settle: (job: PendingJob) => void): void {
    if (this.#painting?.id === id) {
      clearTimeout(this.#painting.timer);
      this.#painting = undefined;
    }
    const job = this.#jobs.get(id);
    if (job) settle(job);
    this.#jobs.delete(id);
    if (memory > this.#limits.externalMb * 1024 * 1024) this.#kill('its buffers outgrew their limit');
  }

  #stopTimers(): void {
    clearTimeout(this.#painting?.timer);
    clearTimeout(this.#silence);
  }

  #kill(
    reason: string,
    { failure = new Error(reason), isHang = false }: { failure?: Error; isHang?: boolean } = {},
  ): void {
    if (this.#isDead) return;
    this.#isDead = true;
    const culprit = this.#painting?.id;
    this.#stopTimers();
    void this.#worker.terminate();
    this.#ready.reject(failure);
    for (const [id, { reject }] of this.#jobs)
      reject(new RenderFailure(id === culprit ? 'DIED' : 'NOT_PREPARED', reason));
    this.#jobs.clear();
    this.#death.resolve({ reason, isHang });
  }
}

/** Starts a thread for one release. Rejects when it is not ready in time or unusable. */
export async function startReleaseWorker(
  file: string,
  data: WorkerData,
  limits: WorkerLimits,
  observers: Observers,
): Promise<ReleaseWorker> {
  const thread = new WorkerThread(createThread(file, data, limits), limits, observers);
  await thread.ready();
  return thread;
}
