import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { EncodedPhoto } from './encodePhoto.ts';
import type { PhotoProblem } from '../domain/stock.ts';

export interface EncoderRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export interface EncoderReply {
  readonly id: number;
  readonly encoded?: EncodedPhoto;
  readonly problem?: PhotoProblem;
  readonly rssBytes: number;
}

export interface PhotoEncoder {
  /** Re-encodes a picture; one at a time, the others wait. */
  encode(bytes: Uint8Array): Promise<EncodedPhoto | PhotoProblem>;
  close(): void;
}

interface EncoderLimits {
  /** ms for one picture; the process is killed then. */
  readonly timeoutMs?: number;
  /** The process is replaced when it is larger after a picture, because decoders leave fragmented memory. */
  readonly maxRssBytes?: number;
  readonly entry?: string;
}

const MEGABYTE = 1024 * 1024;

/** Folders of the encoder's code and of the packages it imports, as patterns of Node's permission model. */
function readableFolders(entry: string): string[] {
  const sharp = createRequire(entry).resolve('sharp');
  const packages = sharp.slice(0, sharp.lastIndexOf('node_modules') + 'node_modules'.length);
  return [dirname(import.meta.dirname), dirname(entry), packages].map((folder) => `${folder}${sep}`);
}

/**
 * Decodes pictures in a child process that has an empty environment, can't write files or start processes, and reads only its
 * own code. A picture
 * that crashes or stalls the process counts as broken, and the next one gets a new process.
 */
export function createPhotoEncoder({
  timeoutMs = 20_000,
  maxRssBytes = 400 * MEGABYTE,
  entry = join(import.meta.dirname, 'encoderProcess.ts'),
}: EncoderLimits = {}): PhotoEncoder {
  let child: ChildProcess | undefined;
  let lastId = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const start = (): ChildProcess =>
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

  function stop(): void {
    child?.kill('SIGKILL');
    child = undefined;
  }

  function encodeNow(bytes: Uint8Array): Promise<EncodedPhoto | PhotoProblem> {
    const id = ++lastId;
    const worker = (child ??= start());
    return new Promise((resolve) => {
      const finish = (result: EncodedPhoto | PhotoProblem, isUsable: boolean) => {
        clearTimeout(timer);
        worker.removeAllListeners();
        if (!isUsable) stop();
        resolve(result);
      };
      const timer = setTimeout(() => finish('BROKEN', false), timeoutMs);
      worker.on('error', () => finish('BROKEN', false));
      worker.on('exit', () => finish('BROKEN', false));
      worker.on('message', (reply: EncoderReply) => {
        if (reply.id === id)
          finish(reply.encoded ?? reply.problem ?? 'BROKEN', reply.rssBytes <= maxRssBytes);
      });
      worker.send({ id, bytes } satisfies EncoderRequest, (error) => {
        if (error) finish('BROKEN', false);
      });
    });
  }

  return {
    encode(bytes) {
      const result = queue.then(() => encodeNow(bytes));
      queue = result;
      return result;
    },
    close: stop,
  };
}
