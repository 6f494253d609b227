import { UsageError, readCommandLine, USAGE } from './commandLine.ts';
import { type Command, rejectExtraArguments } from './commands/command.ts';
import { RegistryCallError } from '@forecourt/release-kit/registryClient';
import { RegistryError } from '@forecourt/release-kit/registryError';

const unique = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Commands and options as the usage lists them, so that a shell offers exactly what it documents. */
export function completions(): { readonly commands: string[]; readonly options: string[] } {
  const [commands = '', options = ''] = USAGE.split('\noptions\n');
  return {
    commands: unique([...commands.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = '']) => name)),
    options: unique([...options.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name = '']) => name)),
  };
}

const SCRIPTS: Readonly<Record<string, (words: ReturnType<typeof completions>) => string>> = {
  bash: ({ commands, options }) => `_forecourt() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "${options.join(' ')}" -- "$current"))
  elif [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _forecourt forecourt`,
  zsh: ({ commands, options }) => `#compdef forecourt
_forecourt() {
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- ${options.join(' ')}
  elif (( CURRENT == 2 )); then compadd -- ${commands.join(' ')}
  else _files; fi
}
compdef _forecourt forecourt`,
  fish: ({ commands, options }) =>
    [
      `complete -c forecourt -n __fish_use_subcommand -f -a '${commands.join(' ')}'`,
      ...options.map((option) => `complete -c forecourt -l ${option.slice(2)}`),
    ].join('\n'),
};

/** `completion bash|zsh|fish` */
const completion: Command = async ({ args }) => {
  const [shell = '', ...rest] = args;
  rejectExtraArguments(rest);
  const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!write) throw new UsageError(`completion needs one of ${Object.keys(SCRIPTS).join(', ')}`);
  const script = write(completions());
  return { text: script, data: { shell, script } };
};

/** Every command by its name on the command line, loaded when it is run; `USAGE` describes them. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  publish: () => import('./commands/releases.ts').then((module) => module.publish),
  gate: () => import('./commands/gate.ts').then((module) => module.gate),
  list: () => import('./commands/releases.ts').then((module) => module.list),
  show: () => import('./commands/releases.ts').then((module) => module.show),
  canary: () => import('./commands/pointers.ts').then((module) => module.canary),
  promote: () => import('./commands/pointers.ts').then((module) => module.promote),
  rollback: () => import('./commands/pointers.ts').then((module) => module.rollback),
  hold: () => import('./commands/pointers.ts').then((module) => module.hold),
  resume: () => import('./commands/pointers.ts').then((module) => module.resume),
  history: () => import('./commands/pointers.ts').then((module) => module.history),
  override: () => import('./commands/override.ts').then((module) => module.override),
  dev: () => import('./commands/dev.ts').then((module) => module.dev),
  snapshot: () => import('./commands/snapshot.ts').then((module) => module.snapshot),
  scenario: () => import('./commands/scenario.ts').then((module) => module.scenario),
  gc: () => import('./commands/releases.ts').then((module) => module.gc),
  doctor: () => import('./commands/doctor.ts').then((module) => module.doctor),
  credentials: () => import('./commands/access.ts').then((module) => module.credentials),
  keys: () => import('./commands/access.ts').then((module) => module.keys),
  completion: async () => completion,
  log: () => import('./commands/releases.ts').then((module) => module.log),
};

/** Exit statuses: the registry or the release check refused; the command line is wrong. */
const REFUSED = 1;
const MISUSED = 2;

type Print = (text: string) => void;

async function execute(
  words: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
  out: Print,
): Promise<number> {
  const line = readCommandLine(words, environment);
  if (line.wantsHelp) {
    out(`${USAGE}\n`);
    return 0;
  }
  const load =
    line.command !== undefined && Object.hasOwn(COMMANDS, line.command) ? COMMANDS[line.command] : undefined;
  if (!load)
    throw new UsageError(line.command === undefined ? USAGE : `no command '${line.command}'\n\n${USAGE}`);
  const { text, data, hasProblem } = await (await load())(line);
  out(`${line.isJson ? JSON.stringify(data) : text}\n`);
  return hasProblem ? REFUSED : 0;
}

/** Runs one `forecourt` command and returns its exit status. */
export async function run(
  words: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
  { out, err }: { readonly out: Print; readonly err: Print },
): Promise<number> {
  try {
    return await execute(words, environment, out);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const code =
      error instanceof RegistryError || error instanceof RegistryCallError ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    if (words.includes('--json'))
      err(`${JSON.stringify({ error: { code: code ?? (isUsage ? 'USAGE' : 'FAILED'), message } })}\n`);
    else err(`${code === undefined ? '' : `${code}: `}${message}\n`);
    return isUsage ? MISUSED : REFUSED;
  }
}
