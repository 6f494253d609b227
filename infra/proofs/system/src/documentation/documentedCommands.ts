import { spawnSync } from 'node:child_process';

/** A command as a reader copies it from a page; it can have several lines. */
interface DocumentedCommand {
  /** Where it starts, from 1. */
  readonly line: number;
  readonly text: string;
  /** In the text or in a table; others are in blocks. */
  readonly isInText: boolean;
}

const FENCE = /^ *```(\w*)/;
const INDENTED = /^ {4,}\S/;
/** Commands in the text and in tables. */
const IN_CODE_MARKS = /`((?:curl|docker|kubectl|node infra|npm (?:run|start|test)|npx)\b[^`]*)`/g;

/** A line that needs another one to be complete: quotes, loops and line continuations. */
const isComplete = (text: string): boolean =>
  !text.endsWith('\\') && spawnSync('bash', ['-n'], { input: text }).status === 0;

/**
 * Commands of a page in its order: of indented blocks and of blocks without a language or with `sh`. Blocks in other
 * languages show files, diagrams and output. `inText` adds those in code marks.
 */
export function documentedCommands(
  markdown: string,
  { inText = false }: { inText?: boolean } = {},
): readonly DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  let language: string | undefined;
  let isIndented = false;
  let open: DocumentedCommand | undefined;
  const add = (line: number, text: string) => {
    const command = open ? { ...open, text: `${open.text}\n${text}` } : { line, text, isInText: false };
    open = isComplete(command.text) ? undefined : command;
    if (!open && !/^\s*#/.test(command.text)) commands.push(command);
  };
  let previous = '';
  for (const [index, text] of markdown.split('\n').entries()) {
    const fence = FENCE.exec(text);
    isIndented = language === undefined && INDENTED.test(text) && (isIndented || previous === '');
    if (fence) language = language === undefined ? fence[1]! : undefined;
    else if (isIndented || ['', 'sh'].includes(language ?? 'none')) {
      if (text.trim() !== '') add(index + 1, text.trim());
    } else if (inText && language === undefined)
      for (const [, command] of text.matchAll(IN_CODE_MARKS))
        commands.push({ line: index + 1, text: command!, isInText: true });
    previous = text;
  }
  if (open) throw new Error(`line ${open.line}: the command is not complete: ${open.text}`);
  return commands;
}
