import { USAGE, UsageError } from '../commandLine.ts';
import { type Command, rejectExtraArguments } from './command.ts';

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
export const completion: Command = async ({ args }) => {
  const [shell = '', ...rest] = args;
  rejectExtraArguments(rest);
  const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!write) throw new UsageError(`completion needs one of ${Object.keys(SCRIPTS).join(', ')}`);
  const script = write(completions());
  return { text: script, data: { shell, script } };
};
