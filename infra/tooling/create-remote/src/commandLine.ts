import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { GeneratorError } from './names.ts';

export const ROOT = resolve(import.meta.dirname, '../../../..');

/** Rejects `npm run x --option`: without `--` before it, npm takes the option and the generator would ignore it. */
function rejectOptionsOfNpm(options: ParseArgsOptionsConfig): void {
  for (const option of Object.keys(options))
    if (option !== 'help' && process.env[`npm_config_${option.replaceAll('-', '_')}`] !== undefined)
      throw new Error(`put '--' before --${option}, or npm takes it for its own`);
}

/**
 * Runs a generator with its parsed arguments and sets the exit status: 0 done,
 * 1 refused, 2 wrong command line.
 */
export async function runGenerator<T>(generator: {
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** @throws Error when the arguments are wrong */
  readonly read: (positionals: string[], values: Record<string, unknown>) => T;
  /** Returns the report for the terminal. */
  readonly run: (input: T) => Promise<string>;
}): Promise<void> {
  const options = { ...generator.options, help: { type: 'boolean', default: false } } as const;
  let input: T;
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (values['help']) {
      process.stdout.write(generator.usage);
      return;
    }
    rejectOptionsOfNpm(options);
    input = generator.read(positionals, values);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${generator.usage}`);
    process.exitCode = 2;
    return;
  }
  try {
    process.stdout.write(await generator.run(input));
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
