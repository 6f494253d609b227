import { ContainerError } from '@forecourt/releases/containerError';
import { RenderFailure, type RenderedSlot, type RenderJob, slotOfBytes } from '../slotRenderer.ts';
import { openChannel, SentQuota, type Channel } from './channel.ts';
import {
  MESSAGE_LIMITS,
  parseFromRelease,
  type FromRelease,
  type ReleaseProgram,
  type ToRelease,
} from './protocol.ts';
import { StateSender, type StateEncoder } from './stateEncoder.ts';
import type { Sandbox, SandboxedProcess } from './sandbox.ts';
import { readWaitMs } from './usage.ts';
import { type BlockedClock, NEVER_BLOCKED, ProcessWatch, type ProcessLimits } from './watch.ts';
import { messageOf } from '../../universal/messageOf.ts';

interface PendingJob {
  readonly job: RenderJob;
  readonly resolve: (slot: RenderedSlot) => void;
  readonly reject: (failure: RenderFailure) => void;
  calls: number;
}

interface Death {
  readonly reason: string;
  /** It was killed because it used too much CPU time or did not reply. */
  readonly isHang: boolean;
}

interface Observers {
  readonly uncaughtError: (message: string) => void;
  readonly output: (text: string) => void;
  /** CPU time of the shell's thread for reading its messages; ms. */
  readonly spend: (ms: number) => void;
}

/** What `load` learns about a failed call. */
const describeFailure = (error: unknown) => {
  const { code } = (error ?? {}) as { code?: unknown };
  return { message: String(error), code: typeof code === 'string' ? code : 'FAILED' };
};

/** One process and the jobs that it runs. It serves one release, so that a leak or a hang affects no other. */
export class ReleaseProcess {
  readonly #process: SandboxedProcess;
  readonly #limits: ProcessLimits;
  readonly #observers: Observers;
  readonly #channel: Channel<ToRelease>;
  readonly #states: StateSender;
  readonly #jobs = new Map<number, PendingJob>();
  readonly #started = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #death = Promise.withResolvers<Death>();
  /** Resolves when the process dies; jobs that did not cause it have been rejected with NOT_PREPARED. */
  readonly died = this.#death.promise;
  #watch: ProcessWatch | undefined;
  #lastId = 0;
  #isDead = false;
  /** The job whose view runs now, if it is not the oldest, as the process reports it; untrusted. */
  #renderingId: number | undefined;
  readonly #quota: SentQuota;
  #drained: (() => void) | undefined;

  constructor(sandbox: Sandbox, limits: ProcessLimits, observers: Observers, encoder: StateEncoder) {
    this.#process = sandbox.start();
    this.#states = new StateSender(encoder);
    this.#limits = limits;
    this.#observers = observers;
    this.#quota = new SentQuota(limits, (reason) => this.#kill(reason));
    this.#started.promise.catch(() => {});
    this.#ready.promise.catch(() => {});
    const { child, channel } = this.#process;
    channel.on('data', ({ length: bytes }: Buffer) => this.#quota.count({ bytes }));
    this.#channel = openChannel<ToRelease>(channel, {
      ...MESSAGE_LIMITS,
      receive: (header, body) => this.#receive(header, body),
      spend: observers.spend,
      broken: (reason) => this.#kill(`it broke the protocol: ${reason}`),
    });
    channel.on('error', () => {});
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => {
        this.#quota.count({ bytes: text.length });
        observers.output(text.subarray(0, 10_000).toString('utf8'));
      });
    child.on('error', (error) => this.#kill(error.message));
    child.on('exit', (code, signal) => this.#kill(`its process ended with ${signal ?? code}`));
    child.unref();
    (channel as { unref?: () => void }).unref?.();
  }

  /** Resolves when the program runs. Rejects when it does not in time. */
  started(): Promise<void> {
    return this.#within(this.#started.promise);
  }

  /** Loads the release. Rejects when it is unusable or not ready in time. */
  async load({ sources, ...program }: ReleaseProgram): Promise<void> {
    await this.started();
    // Loading is work, which `within` limits.
    this.#watch?.jobStarted(Infinity);
    this.#send({ kind: 'load', program }, [Buffer.from(JSON.stringify([...sources]))]);
    await this.#within(this.#ready.promise);
    this.#watch?.jobSettled();
    this.#watch?.idle();
  }

  readonly render = (job: RenderJob): Promise<RenderedSlot> =>
    new Promise((resolve, reject) => {
      if (job.signal.aborted) return reject(new RenderFailure('CANCELLED', 'the client disconnected'));
      if (this.#isDead) return reject(new RenderFailure('NOT_PREPARED', 'its process is gone'));
      const id = (this.#lastId += 1);
      const abandon = () => this.#abandon(id);
      job.signal.addEventListener('abort', abandon, { once: true });
      const settle =
        <T>(end: (value: T) => void) =>
        (value: T) => {
          job.signal.removeEventListener('abort', abandon);
          end(value);
        };
      this.#jobs.set(id, { job, resolve: settle(resolve), reject: settle(reject), calls: 0 });
      this.#watch?.jobStarted(job.cpuMs ?? this.#limits.cpuMs);
      const { slot, checksReads = false, loaded } = job;
      const { parts, body } = this.#states.write(job.state);
      this.#send({ kind: 'render', id, slot, checksReads, parts, ...(loaded && { loaded }) }, body);
    });

  /** The time since now in which the process can't work on one job; see `withDeadline`. */
  readonly startBlockedClock = (): BlockedClock => this.#watch?.startBlockedClock() ?? NEVER_BLOCKED;

  /** What the process has used at its last reading: memory in bytes, CPU time in ms. */
  get used(): ReturnType<ProcessWatch['used']> {
    return this.#watch?.used() ?? { memory: 0, cpuMs: 0 };
  }

  /** Ends the process for what it did outside of its jobs. */
  readonly overrun = (reason: string): void => this.#kill(reason, { isHang: true });

  /** Ends the process when its jobs are done. */
  readonly drain = async (): Promise<void> => {
    if (this.#jobs.size > 0 && !this.#isDead) await new Promise<void>((resolve) => (this.#drained = resolve));
    this.end();
  };

  readonly end = (): void => {
    if (this.#isDead) return;
    this.#isDead = true;
    for (const { reject } of this.#jobs.values())
      reject(new RenderFailure('CANCELLED', 'the release was retired'));
    this.#stop();
  };

  #stop(): void {
    this.#watch?.stop();
    this.#jobs.clear();
    this.#drained?.();
    this.#process.channel.destroy();
    // bwrap takes the program's process with it.
    this.#process.child.kill('SIGKILL');
  }

  /** Waits for a step of the start; time in which the process waits for a core is not counted. */
  async #within(step: Promise<void>): Promise<void> {
    const { bootMs } = this.#limits;
    const startedAt = performance.now();
    const expire = () => {
      const left = bootMs + readWaitMs(this.#process.child.pid ?? 0) - (performance.now() - startedAt);
      if (left < 1) return this.#kill(`not ready in ${bootMs} ms`);
      timer = setTimeout(expire, left);
    };
    let timer = setTimeout(expire, bootMs);
    try {
      await step;
    } finally {
      clearTimeout(timer);
    }
  }

  #send(message: ToRelease, body?: readonly Buffer[]): void {
    if (this.#isDead) return;
    const waiting = this.#channel.send(message, body);
    if (waiting > this.#limits.maxUnreadBytes) this.#kill('it does not read its messages', { isHang: true });
  }

  /** The job's result no longer matters. */
  #abandon(id: number): void {
    if (!this.#jobs.delete(id)) return;
    this.#send({ kind: 'abort', id });
    // Something outside of a view, e.g. in `load`, may block the process without using CPU time.
    this.#watch?.expectReply();
    this.#afterJob();
  }

  #receive(raw: unknown, body: Buffer): void {
    this.#quota.count({ messages: 1 });
    if (this.#isDead) return;
    let message: FromRelease;
    try {
      message = parseFromRelease(raw);
    } catch (error) {
      return this.#kill(`it broke the protocol: ${String(error).slice(0, 300)}`);
    }
    this.#handle(message, body);
  }

  #handle(message: FromRelease, body: Buffer): void {
    switch (message.kind) {
      case 'started':
        return void this.#begin();
      case 'ready':
        return this.#ready.resolve();
      case 'unusable': {
        const { leftRunning, fault } = message;
        const failure = leftRunning
          ? new RenderFailure('LEFT_RUNNING', leftRunning.join(', '))
          : fault && new ContainerError(fault, message.message);
        return this.#kill(message.message, failure && { failure });
      }
      case 'uncaughtError':
        return this.#observers.uncaughtError(message.message);
      case 'alive':
        return this.#watch?.replied();
      case 'rendering':
        this.#renderingId = message.id;
        return;
      case 'call':
        return this.#call(message);
      case 'done': {
        const { data, isPartial, structuredData, page } = message;
        // The composer checks what a main slot says of its page.
        const rest = { data, isPartial, structuredData, page } as Parameters<typeof slotOfBytes>[1];
        return this.#settle(message.id, ({ resolve }) => resolve(slotOfBytes(body, rest)));
      }
      case 'failed':
        return this.#settle(message.id, ({ reject }) =>
          reject(new RenderFailure('THREW', message.message, { releaseStack: message.stack })),
        );
    }
  }

  /** Before any code of the release runs; later messages that say so have no effect. */
  async #begin(): Promise<void> {
    const usage = await this.#process.usage;
    if (this.#watch || this.#isDead) return;
    this.#watch = new ProcessWatch(usage, this.#limits, (reason) => this.#kill(reason, { isHang: true }));
    try {
      await this.#process.seal();
      this.#started.resolve();
    } catch (error) {
      this.#kill(`its limits could not be set: ${messageOf(error)}`);
    }
  }

  #call({ id, call, name, params }: Extract<FromRelease, { kind: 'call' }>): void {
    const pending = this.#jobs.get(id);
    if (!pending)
      return this.#send({ kind: 'failure', call, message: 'the slot was abandoned', code: 'CANCELLED' });
    pending.calls += 1;
    if (pending.calls > this.#limits.maxCalls)
      return this.#kill(`a job made more than ${this.#limits.maxCalls} calls`);
    void pending.job.call(name, params, pending.job.signal).then(
      (value) => this.#send({ kind: 'result', call, value }),
      (error: unknown) => this.#send({ kind: 'failure', call, ...describeFailure(error) }),
    );
  }

  /** A message for a job that is unknown or settled has no effect. */
  #settle(id: number, settle: (job: PendingJob) => void): void {
    const job = this.#jobs.get(id);
    if (!job) return;
    this.#jobs.delete(id);
    if (this.#renderingId === id) this.#renderingId = undefined;
    this.#quota.reset();
    this.#watch?.jobSettled();
    settle(job);
    this.#afterJob();
  }

  #afterJob(): void {
    if (this.#jobs.size > 0) return;
    this.#watch?.idle();
    this.#drained?.();
  }

  #kill(
    reason: string,
    { failure = new Error(reason), isHang = false }: { failure?: Error; isHang?: boolean } = {},
  ): void {
    if (this.#isDead) return;
    this.#isDead = true;
    // The oldest job is to blame if the process named no other, unless an abandoned one may still run.
    const oldest = this.#watch?.awaitsReply() ? undefined : this.#jobs.keys().next().value;
    const culprit = this.#renderingId ?? oldest;
    const jobs = [...this.#jobs];
    this.#stop();
    this.#started.reject(failure);
    this.#ready.reject(failure);
    this.#death.resolve({ reason, isHang });
    for (const [id, { reject }] of jobs)
      reject(new RenderFailure(id === culprit ? 'DIED' : 'NOT_PREPARED', reason));
  }
}
