import { UsageError } from '../commandLine.ts';
import { type Command, rejectExtraArguments } from './command.ts';

/** Command, of one word or two, to its options. */
type Commands = Readonly<Record<string, readonly string[]>>;

const unique = (words: Iterable<string>): string[] => [...new Set(words)];

/** The words that may follow the command line so far: of the first word, of the second, and options by first word. */
function wordsOf(commands: Commands) {
  const names = Object.keys(commands);
  const first = unique(names.map((name) => name.split(' ')[0] ?? ''));
  const of = (command: string) => names.filter((name) => name.split(' ')[0] === command);
  return first.map((command) => ({
    command,
    verbs: of(command).flatMap((name) => name.split(' ').slice(1)),
    options: unique(of(command).flatMap((name) => commands[name] ?? [])),
  }));
}

const SCRIPTS: Readonly<Record<string, (commands: ReturnType<typeof wordsOf>) => string>> = {
  bash: (commands) => `_forecourt() {
  local current="\${COMP_WORDS[COMP_CWORD]}" options="" verbs=""
  case "\${COMP_WORDS[1]}" in
${commands.map(({ command, verbs, options }) => `    ${command}) options="${options.join(' ')}" verbs="${verbs.join(' ')}" ;;`).join('\n')}
  esac
  if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W "${commands.map(({ command }) => command).join(' ')} --help --version" -- "$current"))
  elif [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ $COMP_CWORD -eq 2 && -n "$verbs" ]]; then COMPREPLY=($(compgen -W "$verbs" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _forecourt forecourt`,
  zsh: (commands) => `#compdef forecourt
_forecourt() {
  local -a options verbs
  case "$words[2]" in
${commands.map(({ command, verbs, options }) => `    ${command}) options=(${options.join(' ')}); verbs=(${verbs.join(' ')}) ;;`).join('\n')}
  esac
  if (( CURRENT == 2 )); then compadd -- ${commands.map(({ command }) => command).join(' ')} --help --version
  elif [[ "$words[CURRENT]" == -* ]]; then compadd -- $options
  elif (( CURRENT == 3 && $#verbs )); then compadd -- $verbs
  else _files; fi
}
compdef _forecourt forecourt`,
  fish: (commands) =>
    [
      `complete -c forecourt -n __fish_use_subcommand -f -a '${commands.map(({ command }) => command).join(' ')}'`,
      ...commands.flatMap(({ command, verbs, options }) => [
        ...(verbs.length > 0
          ? [`complete -c forecourt -n '__fish_seen_subcommand_from ${command}' -f -a '${verbs.join(' ')}'`]
          : []),
        ...options.map(
          (option) =>
            `complete -c forecourt -n '__fish_seen_subcommand_from ${command}' -l ${option.slice(2)}`,
        ),
      ]),
    ].join('\n'),
};

/** `completion bash|zsh|fish` */
export const completion =
  (commands: Commands): Command =>
  async ({ args }) => {
    const [shell = '', ...rest] = args;
    rejectExtraArguments(rest);
    const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (!write) throw new UsageError(`completion needs one of ${Object.keys(SCRIPTS).join(', ')}`);
    const script = write(wordsOf(commands));
    return { text: script, data: { shell, script } };
  };
