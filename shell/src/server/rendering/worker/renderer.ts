import type { LoadedRelease } from '../release.ts';
import {
  RenderFailure,
  type RenderedSlot,
  type RenderJob,
  type SlotRenderer,
  withDeadline,
} from '../slotRenderer.ts';
import { startReleaseWorker, type ReleaseWorker, type WorkerLimits } from './releaseWorker.ts';

export interface WorkerRendererOptions {
  /** The built worker file. */
  readonly file: string;
  readonly limits?: Partial<WorkerLimits>;
  /**
   * More deaths than this within the window and the release rests until they are older. One that hung in them rests for
   * a window, and if it hangs again soon after it, at once and twice as long, up to eight windows.
   */
  readonly maxDeaths?: number;
  readonly deathWindowMs?: number;
  readonly log: (event: {
    event: 'worker-died' | 'worker-stray' | 'worker-output';
    release: string;
    reason: string;
  }) => void;
}

const MAX_DEATHS = 3;
const DEATH_WINDOW_MS = 30_000;
/** A hang costs a core for as long as it lasts: one that never ends must become rare. */
const MAX_REST_WINDOWS = 8;
/** After a rest, for so many windows one hang more is enough. */
const PROBATION_WINDOWS = 4;

const LIMITS: WorkerLimits = { paintMs: 400, bootMs: 10_000, heapMb: 192, youngMb: 16, externalMb: 128 };

/** Lines of one release that reach the log in a window: one that throws in a loop must not fill the disk. */
const MAX_LINES = 20;
const LINE_WINDOW_MS = 10_000;
const MAX_LINE_CHARACTERS = 2_000;

/** A release's worker and its replacement when it dies. */
class Supervised {
  private worker: Promise<ReleaseWorker>;
  private deaths: number[] = [];
  /** Rests that hangs have cost so far, one right after the other. */
  private rests = 0;
  private restsUntil = 0;
  private retired = false;
  private lines = { since: 0, count: 0 };
  private readonly release: LoadedRelease;
  private readonly options: WorkerRendererOptions;

  constructor(release: LoadedRelease, options: WorkerRendererOptions) {
    this.release = release;
    this.options = options;
    this.worker = this.boot();
  }

  ready(): Promise<unknown> {
    return this.worker;
  }

  private say(event: 'worker-stray' | 'worker-output', text: string): void {
    const now = Date.now();
    if (now - this.lines.since >= LINE_WINDOW_MS) this.lines = { since: now, count: 0 };
    this.lines.count += 1;
    if (this.lines.count > MAX_LINES) return;
    this.options.log({ event, release: this.release.id, reason: text.slice(0, MAX_LINE_CHARACTERS) });
  }

  private replace(): void {
    this.deaths.push(Date.now());
    this.worker = this.boot();
    // Whoever renders next hears of a boot that fails.
    this.worker.catch(() => {});
  }

  private boot(): Promise<ReleaseWorker> {
    const { id, manifest, nodeSources } = this.release;
    const { file, limits, log } = this.options;
    const started = startReleaseWorker(
      file,
      {
        releaseId: id,
        entry: manifest.entry.node.slice('node/'.length),
        sources: nodeSources,
        slots: manifest.slots,
      },
      { ...LIMITS, ...limits },
      {
        stray: (message) => this.say('worker-stray', message),
        output: (text) => this.say('worker-output', text.trimEnd()),
      },
    );
    void started.then(
      ({ died }) =>
        died.then(({ reason, isHang }) => {
          if (this.retired) return;
          log({ event: 'worker-died', release: id, reason });
          this.replace();
          if (isHang) this.countHang();
        }),
      () => {},
    );
    return started;
  }

  private get windowMs(): number {
    return this.options.deathWindowMs ?? DEATH_WINDOW_MS;
  }

  private isTooOften(): boolean {
    const since = Date.now() - this.windowMs;
    this.deaths = this.deaths.filter((at) => at > since);
    return this.deaths.length > (this.options.maxDeaths ?? MAX_DEATHS);
  }

  private countHang(): void {
    const now = Date.now();
    const hangsAgain = this.rests > 0 && now < this.restsUntil + this.windowMs * PROBATION_WINDOWS;
    if (!hangsAgain) this.rests = 0;
    if (!hangsAgain && !this.isTooOften()) return;
    this.restsUntil = now + this.windowMs * Math.min(2 ** this.rests, MAX_REST_WINDOWS);
    this.rests += 1;
  }

  private isResting(): boolean {
    return Date.now() < this.restsUntil || this.isTooOften();
  }

  async render(job: RenderJob, expiresAt: number): Promise<RenderedSlot> {
    if (this.isResting()) throw new RenderFailure('TRIPPED', `${this.release.id} died too often`);
    const booting = this.worker;
    let worker: ReleaseWorker;
    try {
      worker = await booting;
    } catch (error) {
      // Its replacement did not start. That counts as one death, however many wait, and the next request tries another.
      if (this.worker === booting && !this.retired) this.replace();
      throw new RenderFailure('DIED', error instanceof Error ? error.message : String(error));
    }
    return worker.render(job, expiresAt);
  }

  async retire(): Promise<void> {
    this.retired = true;
    const worker = await this.worker.catch(() => undefined);
    await worker?.end();
  }
}

/** Renders each release in a thread of its own: what one does, no other and not the shell can feel. */
export function createWorkerRenderer(options: WorkerRendererOptions): SlotRenderer {
  const releases = new Map<string, Supervised>();
  return {
    async prepare(release) {
      const supervised = new Supervised(release, options);
      await supervised.ready();
      void releases.get(release.id)?.retire();
      releases.set(release.id, supervised);
    },
    render(job) {
      const supervised = releases.get(job.release.id);
      if (!supervised)
        return Promise.reject(new RenderFailure('NOT_PREPARED', `${job.release.id} is not here`));
      const expiresAt = Date.now() + job.deadlineMs;
      return withDeadline(job.deadlineMs, job.signal, async (cut) => {
        const bounded = { ...job, signal: cut };
        try {
          return await supervised.render(bounded, expiresAt);
        } catch (error) {
          // The thread died under another job: this one was innocent and is run once more.
          const isInnocent = error instanceof RenderFailure && error.code === 'NOT_PREPARED';
          if (!isInnocent || cut.aborted) throw error;
          return supervised.render(bounded, expiresAt);
        }
      });
    },
    retire(id) {
      void releases.get(id)?.retire();
      releases.delete(id);
    },
    async close() {
      await Promise.all([...releases.values()].map((supervised) => supervised.retire()));
      releases.clear();
    },
  };
}
