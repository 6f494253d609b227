import { run } from '../run.ts';

/** Runs one command in this process; returns its exit status and its trimmed output. */
export async function runCommand(
  words: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
): Promise<{ status: number; output: string }> {
  let output = '';
  const print = (text: string) => void (output += text);
  const status = await run(words, environment, { out: print, err: print });
  return { status, output: output.trim() };
}
