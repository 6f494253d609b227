import { UsageError, readCommandLine, USAGE } from './commandLine.ts';
import type { Command } from './commands/command.ts';
import { credentials } from './commands/credentials.ts';
import { doctor } from './commands/doctor.ts';
import { gate } from './commands/gate.ts';
import { gc, publish, list, show } from './commands/releases.ts';
import { override } from './commands/override.ts';
import { canary, history, promote, rollback } from './commands/pointers.ts';
import { keys } from './commands/keys.ts';
import { log } from './commands/log.ts';
import { serve } from './commands/serve.ts';
import { RegistryCallError } from './client.ts';
import { RegistryError } from './release/format.ts';

/** Every command by its name on the command line; `USAGE` describes them. */
const COMMANDS: Readonly<Record<string, Command>> = {
  publish,
  gate,
  list,
  show,
  canary,
  promote,
  rollback,
  history,
  override,
  serve,
  gc,
  doctor,
  credentials,
  keys,
  log,
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
  const command =
    line.command !== undefined && Object.hasOwn(COMMANDS, line.command) ? COMMANDS[line.command] : undefined;
  if (!command)
    throw new UsageError(line.command === undefined ? USAGE : `no command '${line.command}'\n\n${USAGE}`);
  const { text, data, hasProblem } = await command(line);
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
    const code =
      error instanceof RegistryError || error instanceof RegistryCallError ? `${error.code}: ` : '';
    err(`${code}${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? MISUSED : REFUSED;
  }
}
