import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const RESULTS_FILE = join(import.meta.dirname, '../../RESULTS.md');
const TITLE = '# Results of the last measurements';

/** The text with one section (`## heading`) replaced by a new body, or added at the end. */
export function replaceSection(text: string, heading: string, body: string): string {
  const [top = '', ...sections] = text.split(/^(?=## )/m);
  const section = `## ${heading}\n\n${body.trim()}\n`;
  const at = sections.findIndex((one) => one.startsWith(`## ${heading}\n`));
  const others = sections.map((one) => `${one.trim()}\n`);
  const all = at < 0 ? [...others, section] : others.with(at, section);
  return [`${top.trim()}\n`, ...all].join('\n');
}

/** Writes one tool's section of RESULTS.md and leaves the others as they are. */
export function writeResults(heading: string, body: string): void {
  const before = existsSync(RESULTS_FILE) ? readFileSync(RESULTS_FILE, 'utf8') : TITLE;
  writeFileSync(RESULTS_FILE, replaceSection(before, heading, body));
}
