import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import { z } from 'zod';

/** ms until the shell is asked again: it restarts with each of its builds. */
const RETRY_MS = 500;
const FAILURE = 'event: failure';

async function readFailures(url: string, signal: AbortSignal, print: (text: string) => void): Promise<void> {
  const { body } = await fetch(url, { signal });
  if (!body) return;
  let event = '';
  for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) })) {
    if (event === FAILURE && line.startsWith('data: '))
      print(stripVTControlCharacters(z.string().parse(JSON.parse(line.slice('data: '.length)))));
    event = line;
  }
}

/** Prints what open pages of a shell tell of slots that failed in them. Returns what ends it. */
export function followPageFailures(shellUrl: string, print: (text: string) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const follow = async () => {
    while (!signal.aborted) {
      // A shell that is away says it elsewhere.
      await readFailures(`${shellUrl}${OVERRIDES_PATH}/builds`, signal, print).catch(() => undefined);
      await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  void follow();
  return () => ending.abort();
}
