import { CodedError } from './build/codedError.ts';
import { UsageError } from './commandLine.ts';
import { chooseCommand } from './program.ts';
import { RegistryCallError } from '@forecourt/release-kit/registryClient';
import { RegistryError } from '@forecourt/release-kit/registryError';

/** Exit statuses: the registry or the release check refused; the command line is wrong. */
const REFUSED = 1;
const MISUSED = 2;

type Print = (text: string) => void;

async function execute(
  words: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
  out: Print,
): Promise<number> {
  const chosen = chooseCommand(words, environment, out);
  if (!chosen) return 0;
  const { line, load } = chosen;
  const { text, data, hasProblem } = await (await load())(line);
  out(`${line.isJson ? JSON.stringify(data) : text}\n`);
  return hasProblem ? REFUSED : 0;
}

/** What to do about errors of the system; their own texts name only the call that failed. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'you may not use it; change its permissions, or choose another',
  EEXIST: 'it exists and is not replaced; choose another name',
  ENOENT: 'there is no such file or folder; check the path',
  ENOSPC: 'the disk is full; make room',
  EROFS: 'the file system is read-only; choose another folder',
};

/** Code, cause and remedy in one line. */
export function describeFailure(error: unknown): { readonly code: string; readonly message: string } {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');
  if (error instanceof UsageError) return { code: 'USAGE', message };
  if (error instanceof RegistryError || error instanceof RegistryCallError || error instanceof CodedError)
    return { code: error.code, message };
  const { code, path, port } = (error ?? {}) as { code?: unknown; path?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    return {
      code: 'PORT_TAKEN',
      message: `another program serves on port ${String(port)}; end it, or choose another port with --port`,
    };
  const remedy =
    typeof code === 'string' && Object.hasOwn(SYSTEM_ERRORS, code) ? SYSTEM_ERRORS[code] : undefined;
  return remedy === undefined
    ? { code: typeof code === 'string' ? code : 'FAILED', message }
    : { code: String(code), message: `${typeof path === 'string' ? path : message}: ${remedy}` };
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
    const { code, message } = describeFailure(error);
    err(
      words.includes('--json')
        ? `${JSON.stringify({ error: { code, message } })}\n`
        : `${code}: ${message}\n`,
    );
    return error instanceof UsageError ? MISUSED : REFUSED;
  }
}
