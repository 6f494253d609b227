import { sourcesOf, type LoadedRelease } from '../release.ts';
import { RenderFailure, type RenderedSlot, type RenderJob } from '../slotRenderer.ts';
import type { ReleaseProgram } from './protocol.ts';
import { ReleaseProcess } from './releaseProcess.ts';
import type { Sandbox } from './sandbox.ts';
import type { StateEncoder } from './stateEncoder.ts';
import type { ProcessLimits } from './watch.ts';
import { messageOf } from '../../universal/messageOf.ts';
import { ShellTime, type ShellWork } from '../shellTime.ts';

export interface RendererEvent {
  readonly event: 'release-died' | 'release-recycled' | 'release-error' | 'release-output';
  readonly release: string;
  readonly reason: string;
}

/** How a release's process fares, for health and metrics. */
export interface ReleaseHealth {
  readonly release: string;
  /** Resident memory; bytes. */
  readonly memory: number;
  /** CPU time of its process so far; ms. */
  readonly cpuMs: number;
  /** CPU time of this thread for reading and checking what it returned; ms. */
  readonly shellMs: Readonly<Record<ShellWork, number>>;
  /** Deaths since the release was prepared. */
  readonly deaths: number;
  /** Lines that it printed and the log does not have, because there were too many. */
  readonly droppedLines: number;
  /** Why its process last died, while that counts against the release; or that it prints too much. */
  readonly trouble: string | undefined;
  readonly isPaused: boolean;
}

export interface SupervisorOptions {
  readonly sandbox: Sandbox;
  readonly limits: ProcessLimits;
  readonly encoder: StateEncoder;
  /**
   * More deaths than this within the window and the release is paused until they are older. One that hung in them is paused for
   * a window, and if it hangs again soon after it, at once and twice as long, up to eight windows.
   */
  readonly maxDeaths: number;
  readonly deathWindowMs: number;
  /** Log lines of one release per ten seconds: a release that prints in a loop must not fill the disk. */
  readonly maxLines: number;
  readonly log: (event: RendererEvent) => void;
}

/** A hang costs a core while it lasts, so repeated hangs must become rare. */
const MAX_PAUSE_WINDOWS = 8;
/** For so many windows after a pause, one more hang is enough for another. */
const PROBATION_WINDOWS = 4;

const LINE_WINDOW_MS = 10_000;
const MAX_LINE_CHARACTERS = 2_000;

/** A release's process, its replacement when it dies or grows, and a spare one for personal renders. */
export class Supervisor {
  #process: Promise<ReleaseProcess>;
  /** The process behind it, once it is loaded. */
  #loaded: ReleaseProcess | undefined;
  #spare: Promise<ReleaseProcess> | undefined;
  /** Times of the deaths that still count. */
  #deaths: number[] = [];
  #deathCount = 0;
  #lastDeath = '';
  /** Consecutive pauses caused by hangs. */
  #pauses = 0;
  #pausedUntil = 0;
  #isRetired = false;
  /** Boots beside a process that has grown. */
  #replacement: Promise<ReleaseProcess> | undefined;
  #lines = { since: 0, count: 0 };
  #droppedLines = 0;
  readonly #shellTime: ShellTime;
  readonly #release: LoadedRelease;
  readonly #options: SupervisorOptions;

  constructor(release: LoadedRelease, options: SupervisorOptions) {
    this.#release = release;
    this.#options = options;
    this.#shellTime = new ShellTime(options.limits);
    this.#process = this.#use(this.#boot());
  }

  ready(): Promise<unknown> {
    return this.#process;
  }

  async render(job: RenderJob, starting: (process: ReleaseProcess) => void): Promise<RenderedSlot> {
    if (this.#isPaused()) throw new RenderFailure('PAUSED', `${this.#release.id} died too often`);
    if (job.isPersonal) return this.#renderPersonal(job, starting);
    const process = await this.#living();
    starting(process);
    try {
      return await process.render(job);
    } finally {
      if (process.used.memory > this.#options.limits.softMemoryMb * 1024 * 1024) void this.#recycle(process);
    }
  }

  health(): ReleaseHealth {
    const isPaused = this.#isPaused();
    return {
      release: this.#release.metricsLabel ?? this.#release.id,
      ...(this.#loaded?.used ?? { memory: 0, cpuMs: 0 }),
      shellMs: this.#shellTime.spentMs,
      deaths: this.#deathCount,
      droppedLines: this.#droppedLines,
      trouble: isPaused || this.#deaths.length > 0 ? this.#lastDeath : this.#noise(),
      isPaused,
    };
  }

  /** Reading and checking what the release returned took this much of the shell's thread; ms. */
  spendShellTime(ms: number, work: ShellWork): void {
    if (!this.#shellTime.isOverspentBy(ms, work) || this.#isRetired) return;
    const share = Math.round(this.#options.limits.shellShare * 100);
    this.#loaded?.overrun(
      `reading and checking what it returned took more than ${share} % of the shell’s thread`,
    );
  }

  async retire(): Promise<void> {
    this.#isRetired = true;
    const processes = [this.#process, ...(this.#spare ? [this.#spare] : [])];
    for (const booted of await Promise.allSettled(processes)) {
      if (booted.status === 'fulfilled') booted.value.end();
    }
  }

  async #living(): Promise<ReleaseProcess> {
    const booting = this.#process;
    try {
      return await booting;
    } catch (error) {
      // The replacement failed to start: one death, however many jobs wait. The next request tries again.
      if (this.#process === booting && !this.#isRetired) {
        this.#lastDeath = String(error);
        this.#replace();
      }
      throw new RenderFailure('DIED', messageOf(error));
    }
  }

  /** In a process that has rendered nothing before and renders nothing after: what it learns, no other visitor gets. */
  async #renderPersonal(job: RenderJob, starting: (process: ReleaseProcess) => void): Promise<RenderedSlot> {
    const spare = this.#spare ?? this.#boot();
    this.#spare = undefined;
    let process: ReleaseProcess;
    try {
      process = await spare;
    } catch (error) {
      this.#countDeath();
      throw new RenderFailure('DIED', messageOf(error));
    }
    try {
      starting(process);
      return await process.render(job);
    } finally {
      process.end();
      if (!this.#isRetired) {
        this.#spare ??= this.#boot();
        this.#spare.catch(() => {});
      }
    }
  }

  #boot(): Promise<ReleaseProcess> {
    const { id, manifest, half = 'server' } = this.#release;
    const { sandbox, limits, encoder, log } = this.#options;
    const program: ReleaseProgram = {
      releaseId: id,
      half,
      manifest: {
        name: manifest.name,
        version: manifest.version,
        entry: manifest.entry,
        slots: manifest.slots,
      },
      sources: sourcesOf(this.#release),
    };
    const observers = {
      uncaughtError: (message: string) => this.#say('release-error', message),
      output: (text: string) => this.#say('release-output', text.trimEnd()),
      spend: (ms: number) => this.spendShellTime(ms, 'reading'),
    };
    const process = new ReleaseProcess(sandbox, limits, observers, encoder);
    const onDeath = ({ reason, isHang }: { reason: string; isHang: boolean }) => {
      if (this.#isRetired) return;
      this.#lastDeath = reason;
      log({ event: 'release-died', release: id, reason });
      // Jobs are retried right after this: they must find the replacement.
      if (this.#loaded === process) this.#replace();
      else this.#countDeath();
      if (isHang) this.#countHang();
    };
    return process.load(program).then(() => {
      void process.died.then(onDeath);
      return process;
    });
  }

  #replace(): void {
    this.#countDeath();
    // A machine that a release has just made busy has no time to start two.
    this.#process = this.#use(this.#replacement ?? this.#boot());
    this.#replacement = undefined;
    // The next render reports a failed start.
    this.#process.catch(() => {});
  }

  async #use(booting: Promise<ReleaseProcess>): Promise<ReleaseProcess> {
    this.#loaded = undefined;
    const process = await booting;
    this.#loaded = process;
    return process;
  }

  /** Jobs go on in the grown process until its replacement is ready. */
  async #recycle(grown: ReleaseProcess): Promise<void> {
    if (this.#replacement || this.#loaded !== grown) return;
    const booting = this.#boot();
    this.#replacement = booting;
    try {
      const replacement = await booting;
      if (this.#isRetired) return replacement.end();
      // It died, and its jobs found the replacement.
      if (this.#replacement !== booting) return;
      this.#loaded = replacement;
      this.#process = Promise.resolve(replacement);
      const reason = `it grew to ${Math.round(grown.used.memory / 1024 / 1024)} MB`;
      this.#options.log({ event: 'release-recycled', release: this.#release.id, reason });
      await grown.drain();
    } catch (error) {
      this.#say('release-error', `its replacement did not start: ${String(error)}`);
    } finally {
      if (this.#replacement === booting) this.#replacement = undefined;
    }
  }

  #say(event: 'release-error' | 'release-output', text: string): void {
    const now = Date.now();
    if (now - this.#lines.since >= LINE_WINDOW_MS) this.#lines = { since: now, count: 0 };
    this.#lines.count += 1;
    if (this.#lines.count > this.#options.maxLines) {
      this.#droppedLines += 1;
      return;
    }
    this.#options.log({ event, release: this.#release.id, reason: text.slice(0, MAX_LINE_CHARACTERS) });
  }

  #noise(): string | undefined {
    const { maxLines } = this.#options;
    const isNow = Date.now() - this.#lines.since < LINE_WINDOW_MS;
    return isNow && this.#lines.count > maxLines
      ? `it prints more than ${maxLines} lines in ${LINE_WINDOW_MS / 1000} s`
      : undefined;
  }

  #countDeath(): void {
    this.#deathCount += 1;
    this.#deaths.push(Date.now());
  }

  #isTooOften(): boolean {
    const since = Date.now() - this.#options.deathWindowMs;
    this.#deaths = this.#deaths.filter((at) => at > since);
    return this.#deaths.length > this.#options.maxDeaths;
  }

  #countHang(): void {
    const { deathWindowMs } = this.#options;
    const now = Date.now();
    const hangsAgain = this.#pauses > 0 && now < this.#pausedUntil + deathWindowMs * PROBATION_WINDOWS;
    if (!hangsAgain) this.#pauses = 0;
    if (!hangsAgain && !this.#isTooOften()) return;
    this.#pausedUntil = now + deathWindowMs * Math.min(2 ** this.#pauses, MAX_PAUSE_WINDOWS);
    this.#pauses += 1;
  }

  #isPaused(): boolean {
    return Date.now() < this.#pausedUntil || this.#isTooOften();
  }
}
