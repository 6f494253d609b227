import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpus, loadavg } from 'node:os';

export const RESULTS_FILE = join(import.meta.dirname, '../../RESULTS.md');
const TITLE = '# Results of the last measurements';

/** Replaces the body of one `## heading` section, or appends the section. */
export function replaceSection(text: string, heading: string, body: string): string {
  const [top = '', ...sections] = text.split(/^(?=## )/m);
  const section = `## ${heading}\n\n${body.trim()}\n`;
  const at = sections.findIndex((one) => one.startsWith(`## ${heading}\n`));
  const others = sections.map((one) => `${one.trim()}\n`);
  const all = at < 0 ? [...others, section] : others.with(at, section);
  return [`${top.trim()}\n`, ...all].join('\n');
}

/** Updates one tool's section of RESULTS.md. */
export function writeResults(heading: string, body: string): void {
  const before = existsSync(RESULTS_FILE) ? readFileSync(RESULTS_FILE, 'utf8') : TITLE;
  writeFileSync(RESULTS_FILE, replaceSection(before, heading, body));
}

/** Cores, Node and browser version; no host name. */
export function describeMachine(browser?: string): string {
  const cores = cpus();
  const parts = [
    `${cores.length} cores (${cores[0]?.model ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    browser,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Load average of the last minute; above the number of cores, other processes were running. */
export const loadAverage = (): string => (loadavg()[0] ?? 0).toFixed(1);

/** A Markdown table with right-aligned columns, except the first. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
