import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command as Program, CommanderError, Option } from 'commander';
import { publicKeySchema } from '@forecourt/release-kit/signatures';
import { type CommandLine, type OptionValues, readCommandLine, UsageError } from './commandLine.ts';
import { COMMANDS, FAMILIES, type Load, type OptionName, OPTIONS } from './commandTable.ts';

/** Options that contradict each other. */
const CONFLICTS: Partial<Record<OptionName, readonly OptionName[]>> = {
  clear: ['origin', 'minutes', 'by'],
  verify: ['limit'],
};

const FOOTER = `
REGISTRY_TOKEN is the token of a credential; GATE_TOKEN opens the gate of a shell; OVERRIDE_KEY signs overrides,
OVERRIDE_TOKEN is one that the operator of a shell signed (dev),
RELEASE_KEY (PEM) or RELEASE_KEY_FILE (its path) signs releases. REMOTE VERSION may also be written REMOTE@VERSION.
exit status: 0 done, 1 refused or failed (CODE: reason on standard error, with --json an object), 2 wrong command line`;

const version = (): string =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string })
    .version;

/** Public keys behind '--': one in 64 starts with '-', which would make it an option. */
function separateKeys(words: readonly string[]): string[] {
  const isKey = (word: string) => word.startsWith('-') && publicKeySchema.safeParse(word).success;
  const found = words.filter(isKey);
  if (found.length === 0 || words.includes('--')) return [...words];
  return [...words.filter((word) => !isKey(word)), '--', ...found];
}

function addOptions(program: Program, names: readonly OptionName[]): void {
  for (const name of names) {
    const [flags, text] = OPTIONS[name];
    const option = new Option(flags, text);
    const others = CONFLICTS[name]?.filter((other) => names.includes(other)) ?? [];
    // Each occurrence of a list has one value.
    if (option.variadic) {
      option.variadic = false;
      option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
    }
    program.addOption(option.conflicts([...others]));
  }
  program.option('--json', 'print machine-readable output; dev prints one object per line');
}

type Choose = (name: string, args: readonly string[], values: OptionValues) => void;

const describeUsage = (name: string, usage: string): string => `${usage}${usage === '' ? '' : ' '}[options]`;

/** The commands and their help; `choose` is called for the one that the words name. */
function createProgram(choose: Choose, print: (text: string) => void): Program {
  const program = new Program('forecourt');
  const output = { writeOut: print, writeErr: () => {}, outputError: () => {} };
  const prepare = (command: Program): Program =>
    command
      .exitOverride()
      .configureOutput(output)
      .configureHelp({
        // The usage shows them.
        visibleArguments: () => [],
        subcommandTerm: (one) =>
          `${one.name()} ${one.commands.length > 0 ? '…' : one.usage().replace('[options]', '')}`.trim(),
      })
      .helpOption('--help', 'this text')
      .allowExcessArguments();
  prepare(program).version(version(), '--version', 'the version of this command');
  program.helpCommand(false).addHelpText('after', FOOTER).usage('COMMAND [ARGUMENTS] [OPTIONS]');
  const families = new Map<string, Program>();
  for (const [name, { usage, text, options = [] }] of Object.entries(COMMANDS)) {
    const [first = '', verb] = name.split(' ');
    let parent = program;
    if (verb !== undefined) {
      parent =
        families.get(first) ??
        prepare(program.command(first))
          .summary(FAMILIES[first] ?? '')
          .helpCommand(false);
      families.set(first, parent);
    }
    const isDefault = verb === 'list';
    const command = prepare(parent.command(verb ?? first, { isDefault }));
    command
      .description(text)
      .summary(text)
      .usage(describeUsage(name, usage))
      .argument('[words...]')
      .helpCommand(false);
    addOptions(command, options);
    command.action((words: readonly string[]) => choose(name, words, command.opts()));
  }
  return program;
}

/** What the words ask for: a command to run, or nothing more because help or version were printed. */
export interface Chosen {
  readonly line: CommandLine;
  readonly load: Load;
}

/** 'save NAME, show NAME or diff NAME [NAME]' */
const verbsOf = (family: string): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(
    Object.entries(COMMANDS)
      .filter(([name]) => name.startsWith(`${family} `))
      .map(([name, { usage }]) => `${name.slice(family.length + 1)} ${usage}`.trim()),
  );

const familyError = (family: string): UsageError =>
  new UsageError(`${family} needs ${verbsOf(family)}; see \`forecourt ${family} --help\``);

/** One line for what commander says in several. */
function toUsageError(error: CommanderError, words: readonly string[]): UsageError {
  const named = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  const known = Object.keys(COMMANDS).find((name) => name === named.join(' ') || name === named[0]);
  const help = `see \`forecourt ${known === undefined ? '' : `${known} `}--help\``;
  const [family = ''] = named;
  if (Object.hasOwn(FAMILIES, family) && known === undefined) return familyError(family);
  if (error.code === 'commander.help') return new UsageError(`a command is missing; ${help}`);
  const text = error.message
    .replace(/^error: /, '')
    .replace(/^unknown command/, 'no command')
    .replaceAll(/\n+/g, ' ');
  return new UsageError(`${text}; ${help}`);
}

/** Reads the command line. `print` gets help and version, after which there is nothing to run. @throws UsageError */
export function chooseCommand(
  words: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
  print: (text: string) => void,
): Chosen | undefined {
  let chosen: Chosen | undefined;
  const program = createProgram((name, args, values) => {
    const [command = '', verb] = name.split(' ');
    // The default of a family gets the words of a verb that it does not have.
    if (verb === 'list' && args.length > 0 && !words.includes(verb)) throw familyError(command);
    const line = readCommandLine(
      { command, args: verb === undefined ? args : [verb, ...args], values },
      environment,
    );
    // `COMMANDS` has the name.
    chosen = { line, load: COMMANDS[name]!.load };
  }, print);
  try {
    program.parse(separateKeys(words), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw toUsageError(error, words);
  }
  return chosen;
}
