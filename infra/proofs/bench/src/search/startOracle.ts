import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Answer, merged } from '@forecourt/marketplace-api/oracleAnswer';
import type { ListingQuery, PageRequest } from '@forecourt/marketplace-api/query';

export interface OraclePart {
  readonly listings: number;
  /** From 0 to `parts` - 1. */
  readonly part: number;
  readonly parts: number;
}

/** Of one part of the inventory. */
const MAX_HEAP_MB = 8192;

/** Searches all listings of the inventory by brute force, with a worker thread for each core. */
export async function startOracle(listings: number) {
  const parts = availableParallelism();
  const script = new URL('./oracleProcess.ts', import.meta.url);
  const workers = Array.from({ length: parts }, (_, part) => {
    const workerData: OraclePart = { listings, part, parts };
    return new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  });
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return {
    async answer(query: ListingQuery, page: PageRequest): Promise<Answer> {
      const answers = workers.map(async (worker) => {
        const message = once(worker, 'message');
        worker.postMessage({ query, page });
        return (await message)[0] as Answer;
      });
      return merged(await Promise.all(answers), page);
    },
    close: () => Promise.all(workers.map((worker) => worker.terminate())),
  };
}
