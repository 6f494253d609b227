import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Reject } from './importFeed.ts';

/** Writes rejected rows beside their line and reason; a file exists only once there is a reject. */
export interface RejectFile {
  add(reject: Reject): void;
  close(): Promise<void>;
}

/** A cell of the feed as text: JSON Lines may hold anything. */
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** As CSV, or as JSON Lines if the path ends in '.jsonl'. */
export function createRejectFile(path: string): RejectFile {
  const isJson = path.endsWith('.jsonl');
  let file: WriteStream | undefined;
  let columns: readonly string[] | undefined;

  function csvLine({ line, reason, row }: Reject): string {
    if (typeof row === 'string') return [String(line), reason, row].map(csvCell).join();
    columns ??= Object.keys(row);
    return [String(line), reason, ...columns.map((column) => textOf(row[column]))].map(csvCell).join();
  }

  return {
    add(reject) {
      file ??= createWriteStream(path);
      if (isJson) {
        file.write(`${JSON.stringify(reject)}\n`);
        return;
      }
      const line = csvLine(reject);
      if (file.bytesWritten === 0 && file.writableLength === 0) {
        file.write(`${['line', 'reason', ...(columns ?? ['row'])].map(csvCell).join()}\n`);
      }
      file.write(`${line}\n`);
    },
    async close() {
      if (!file) return;
      file.end();
      await once(file, 'close');
    },
  };
}

function csvCell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
