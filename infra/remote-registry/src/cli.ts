import { UsageError, readCommandLine, USAGE } from './cli/commandLine.ts';
import { COMMANDS } from './cli/commands.ts';
import { RegistryCallError } from './registryClient.ts';
import { RegistryError } from './registryError.ts';

/** Exit statuses: the registry or the release refused, and the command line was wrong. */
const REFUSED = 1;
const MISUSED = 2;

async function main(words: readonly string[]): Promise<number> {
  const line = readCommandLine(words, process.env);
  if (line.wantsHelp) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const command =
    line.command !== undefined && Object.hasOwn(COMMANDS, line.command) ? COMMANDS[line.command] : undefined;
  if (!command)
    throw new UsageError(line.command === undefined ? USAGE : `no command '${line.command}'\n\n${USAGE}`);
  const { text, data, isBad } = await command(line);
  process.stdout.write(`${line.isJson ? JSON.stringify(data) : text}\n`);
  return isBad ? REFUSED : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const code = error instanceof RegistryError || error instanceof RegistryCallError ? `${error.code}: ` : '';
  process.stderr.write(`${code}${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? MISUSED : REFUSED;
}
