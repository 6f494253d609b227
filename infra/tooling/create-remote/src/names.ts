import { remoteNameSchema, slotNameSchema } from '@forecourt/releases/manifest';
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

export type GeneratorErrorCode =
  | 'NAME_INVALID'
  | 'REMOTE_EXISTS'
  | 'REMOTE_UNKNOWN'
  | 'SLOT_TAKEN'
  | 'REPOSITORY_UNEXPECTED';

/** Thrown before anything is written; the message is one line for the caller. */
export class GeneratorError extends Error {
  override readonly name = 'GeneratorError';
  readonly code: GeneratorErrorCode;

  constructor(code: GeneratorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The names of a new remote or slot in folders, in the page and in code. */
export interface RemoteNames {
  /** Folder, package without scope, and name in the registry: 'mfe-dealer-map'. */
  readonly remote: string;
  /** Place in the page and file in `src/slots`: 'dealer-map'. */
  readonly slot: string;
  /** React component: 'DealerMap'. */
  readonly component: string;
  /** Heading: 'Dealer map'. */
  readonly title: string;
  /** Team in CODEOWNERS: 'dealer-map'. */
  readonly team: string;
}

// Stricter than the contract: hyphens only between words.
const words = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const RULE = 'lowercase letters and digits, single hyphens between words, starting with a letter';

const remoteSchema = remoteNameSchema.regex(words);
const slotSchema = slotNameSchema.regex(words);

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Derives all names from those on the command line; `name` with or without
 * 'mfe-'. Without `slot`, the slot is named like the remote.
 * @throws GeneratorError NAME_INVALID
 */
export function remoteNames(name: string, slot?: string): RemoteNames {
  const remote = name.startsWith('mfe-') ? name : `mfe-${name}`;
  if (!remoteSchema.safeParse(remote).success)
    throw new GeneratorError(
      'NAME_INVALID',
      `'${name}' is not a valid remote name: ${RULE}, at most 40 characters including 'mfe-'`,
    );
  const bareName = remote.slice('mfe-'.length);
  const slotName = slot ?? bareName;
  if (!slotSchema.safeParse(slotName).success)
    throw new GeneratorError(
      'NAME_INVALID',
      `'${slotName}' is not a valid slot name: ${RULE}, at most 40 characters`,
    );
  return {
    remote,
    slot: slotName,
    component: slotName.split('-').map(capitalize).join(''),
    title: capitalize(slotName.replaceAll('-', ' ')),
    team: bareName,
  };
}

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
