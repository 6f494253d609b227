import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedCommands } from './documentedCommands.ts';
import type { DocumentedPage } from './documentedPages.ts';
import { type CommandTable, EXCEPTIONS, SERVERS, STATUSES } from './exceptions.ts';
import type { Terminal } from './terminal.ts';

/** ms for one command; most take seconds. */
const COMMAND_MS = 600_000;

/** The value of the first row that has the command. */
export const lookUp = <Value>(table: CommandTable<Value>, path: string, command: string): Value | undefined =>
  table.find(([pattern]) => pattern.test(`${path}: ${command}`))?.[1];

/** What pages say, by what it is in the proof. */
export type Values = Readonly<Record<string, string>>;

/** The text with values instead of the page's placeholders and of `values`, in this order. */
export function fillIn(text: string, { placeholders = {} }: DocumentedPage, values: Values): string {
  return Object.entries({ ...placeholders, ...values }).reduce(
    (filled, [placeholder, value]) => filled.replaceAll(placeholder, () => value),
    text,
  );
}

interface Situation {
  /** The clone of the repository. */
  readonly root: string;
  readonly values: Values;
  /** Commands of the pages so far; it gets those of this page. Repetitions in the text are not entered. */
  readonly entered: Set<string>;
  readonly say: (text: string) => void;
}

/** What became of the commands of a page. */
interface Followed {
  readonly run: number;
  readonly excepted: number;
  readonly failures: readonly string[];
}

/** Enters the commands of a page in their order. One that fails does not end the page. */
export async function followPage(
  page: DocumentedPage,
  terminal: Terminal,
  { root, values, entered, say }: Situation,
): Promise<Followed> {
  const { path, files = [], before } = page;
  const markdown = readFileSync(join(root, path), 'utf8');
  const blocks = [...markdown.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, json]) => json!);
  for (const [index, file] of files.entries())
    writeFileSync(join(root, file), fillIn(blocks[index] ?? '', page, values));
  if (before !== undefined) await terminal.run(before, { limitMs: COMMAND_MS });
  const failures: string[] = [];
  const counts = { run: 0, excepted: 0 };
  for (const { line, text, isInText } of documentedCommands(markdown, page)) {
    const [name = ''] = text.split(/ +# /);
    const isExcepted = lookUp(EXCEPTIONS, path, text) !== undefined;
    counts[isExcepted ? 'excepted' : 'run'] += 1;
    if (isExcepted || (isInText && entered.has(name))) continue;
    entered.add(name);
    const started = Date.now();
    const command = fillIn(text, page, values);
    const ready = lookUp(SERVERS, path, text);
    const done = ready
      ? terminal.serve(command, { limitMs: COMMAND_MS, ready })
      : terminal.run(command, { limitMs: COMMAND_MS, status: lookUp(STATUSES, path, text) ?? 0 });
    const error = await done.then(() => undefined, String);
    if (error !== undefined) failures.push(`${path}:${line} ${name}: ${error}`);
    say(`${path}:${line} ${name} (${Date.now() - started} ms)${error === undefined ? '' : ': FAILED'}`);
  }
  return { ...counts, failures };
}
