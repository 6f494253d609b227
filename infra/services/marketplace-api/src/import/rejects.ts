import { closeSync, openSync, writeSync } from 'node:fs';
import type { Reject } from './importFeed.ts';

/** Writes rejected rows beside their line and reason; a file exists only once there is a reject. */
export interface RejectFile {
  add(reject: Reject): void;
  close(): void;
}

/** Characters that are collected before they are written: a feed of a million bad rows stays on the disk. */
const BUFFERED = 65_536;

/** A cell of the feed as text: JSON Lines may hold anything. */
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** As CSV, or as JSON Lines if the path ends in '.jsonl'. */
export function createRejectFile(path: string): RejectFile {
  const isJson = path.endsWith('.jsonl');
  let file: number | undefined;
  let columns: readonly string[] | undefined;
  let buffered = '';

  function csvLine({ line, reason, row }: Reject): string {
    if (typeof row === 'string') return [String(line), reason, row].map(csvCell).join();
    columns ??= Object.keys(row);
    return [String(line), reason, ...columns.map((column) => textOf(row[column]))].map(csvCell).join();
  }

  function write(text: string): void {
    buffered += `${text}\n`;
    if (buffered.length >= BUFFERED) flush();
  }

  function flush(): void {
    if (file !== undefined && buffered !== '') writeSync(file, buffered);
    buffered = '';
  }

  return {
    add(reject) {
      const isFirst = file === undefined;
      file ??= openSync(path, 'w');
      if (isJson) {
        write(JSON.stringify(reject));
        return;
      }
      const line = csvLine(reject);
      if (isFirst) write(['line', 'reason', ...(columns ?? ['row'])].map(csvCell).join());
      write(line);
    },
    close() {
      if (file === undefined) return;
      flush();
      closeSync(file);
    },
  };
}

function csvCell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
