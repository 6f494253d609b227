import type { CommandLine } from '../commandLine.ts';
import { chooseCommand } from '../program.ts';

/** What a command gets for these words. @throws UsageError */
export function lineOf(words: readonly string[], environment: Readonly<NodeJS.ProcessEnv> = {}): CommandLine {
  const chosen = chooseCommand(words, environment, () => {});
  if (!chosen) throw new Error(`${words.join(' ')} runs no command`);
  return chosen.line;
}
