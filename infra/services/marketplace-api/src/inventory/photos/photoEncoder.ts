import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PhotoFormat, PhotoProblem, StockPhoto } from '../../domain/stock.ts';

export interface PictureRequest<Input> {
  readonly id: number;
  readonly input: Input;
}

export interface PictureReply<Output> {
  readonly id: number;
  readonly output?: Output;
  readonly problem?: PhotoProblem;
  readonly rssBytes: number;
}

/** A process that makes pictures. */
export interface PictureProcess<Input, Output> {
  /** One at a time, the others wait. */
  run(input: Input): Promise<Output | PhotoProblem>;
  close(): void;
}

interface ProcessLimits {
  /** ms for one picture; the process is killed then. */
  readonly timeoutMs?: number;
  /** The process is replaced when it is larger after a picture, because decoders leave fragmented memory. */
  readonly maxRssBytes?: number;
}

/** What the process does: answers each request. `problemOf` names why a picture can't be made. */
export function servePictureRequests<Input, Output>(
  make: (input: Input) => Promise<Output>,
  problemOf: (error: Error) => PhotoProblem = () => 'BROKEN',
): void {
  process.on('message', ({ id, input }: PictureRequest<Input>) => {
    const reply = (result: Pick<PictureReply<Output>, 'output' | 'problem'>) =>
      process.send?.({
        id,
        ...result,
        rssBytes: process.memoryUsage.rss(),
      } satisfies PictureReply<Output>);
    make(input).then(
      (output) => reply({ output }),
      (error: Error) => reply({ problem: problemOf(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

const MEGABYTE = 1024 * 1024;

/** Folders of the process's code and of the packages it imports, as patterns of Node's permission model. */
function readableFolders(entry: string): string[] {
  const sharp = createRequire(entry).resolve('sharp');
  const packages = sharp.slice(0, sharp.lastIndexOf('node_modules') + 'node_modules'.length);
  return [dirname(dirname(import.meta.dirname)), dirname(entry), packages].map((folder) => `${folder}${sep}`);
}

const start = (entry: string): ChildProcess =>
  fork(entry, {
    // One arena: with several, glibc keeps the memory of each large picture.
    env: { MALLOC_ARENA_MAX: '1' },
    execArgv: [
      '--no-warnings',
      '--max-old-space-size=128',
      '--permission',
      '--allow-addons',
      ...readableFolders(entry).map((folder) => `--allow-fs-read=${folder}`),
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

/**
 * Makes pictures in a child process that has an empty environment, can't write files or start processes, and reads only its
 * own code. A picture that crashes or stalls the process counts as broken, and the next one gets a new process.
 */
export function createPictureProcess<Input, Output>(
  entry: string,
  { timeoutMs = 20_000, maxRssBytes = 400 * MEGABYTE }: ProcessLimits = {},
): PictureProcess<Input, Output> {
  let child: ChildProcess | undefined;
  let lastId = 0;
  let queue: Promise<unknown> = Promise.resolve();

  function stop(): void {
    child?.kill('SIGKILL');
    child = undefined;
  }

  function runNow(input: Input): Promise<Output | PhotoProblem> {
    const id = ++lastId;
    const worker = (child ??= start(entry));
    return new Promise((resolve) => {
      const finish = (result: Output | PhotoProblem, isUsable: boolean) => {
        clearTimeout(timer);
        worker.removeAllListeners();
        if (!isUsable) stop();
        resolve(result);
      };
      const timer = setTimeout(() => finish('BROKEN', false), timeoutMs);
      worker.on('error', () => finish('BROKEN', false));
      worker.on('exit', () => finish('BROKEN', false));
      worker.on('message', (reply: PictureReply<Output>) => {
        if (reply.id === id) finish(reply.output ?? reply.problem ?? 'BROKEN', reply.rssBytes <= maxRssBytes);
      });
      worker.send({ id, input } satisfies PictureRequest<Input>, (error) => {
        if (error) finish('BROKEN', false);
      });
    });
  }

  return {
    run(input) {
      const result = queue.then(() => runNow(input));
      queue = result;
      return result;
    },
    close: stop,
  };
}

/** A photo without its name, and the content of its files. */
export interface EncodedPhoto {
  readonly photo: Omit<StockPhoto, 'hash'>;
  readonly files: readonly { readonly width: number; readonly format: PhotoFormat; readonly bytes: Buffer }[];
}

/** Several processes; the least busy one takes the next picture. */
export function createPictureProcesses<Input, Output>(
  count: number,
  create: () => PictureProcess<Input, Output>,
): PictureProcess<Input, Output> {
  const processes = Array.from({ length: count }, () => ({ process: create(), pictures: 0 }));
  return {
    async run(input) {
      const idlest = processes.reduce((least, one) => (one.pictures < least.pictures ? one : least));
      idlest.pictures += 1;
      try {
        return await idlest.process.run(input);
      } finally {
        idlest.pictures -= 1;
      }
    },
    close() {
      for (const { process } of processes) process.close();
    },
  };
}

export type PhotoEncoder = PictureProcess<Uint8Array, EncodedPhoto>;

/** Re-encodes photos of feeds. */
export const createPhotoEncoder = ({
  entry = join(import.meta.dirname, 'encodePhoto.ts'),
  ...limits
}: ProcessLimits & { readonly entry?: string } = {}): PhotoEncoder => createPictureProcess(entry, limits);
