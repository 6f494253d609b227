import { browser } from '@wdio/globals';

/** What the page said on its console as an error during the test at hand. */
interface ConsoleWatch {
  errors: string[];
  allowed: RegExp[];
  isSubscribed: boolean;
}

// The runner's configuration and the test files may load this module twice; they must see one list.
const KEY = Symbol.for('forecourt.e2e.consoleErrors');
const shared = globalThis as unknown as { [KEY]?: ConsoleWatch };
const watch = (): ConsoleWatch => (shared[KEY] ??= { errors: [], allowed: [], isSubscribed: false });

/** Lets errors that match pass until the end of this test: for pages that are broken on purpose. */
export function allowConsoleErrors(...patterns: RegExp[]): void {
  watch().allowed.push(...patterns);
}

interface LogEntry {
  readonly source: string;
  readonly message: string;
}

/** What the browser refused or warned of since it was last asked: no script sees it, and BiDi does not tell. */
async function securityErrors(): Promise<string[]> {
  const entries = (await browser.getLogs('browser')) as LogEntry[];
  return entries.filter(({ source }) => source === 'security').map(({ message }) => message);
}

/** Errors so far in this test, those allowed left out. */
export async function consoleErrors(): Promise<string[]> {
  const { errors, allowed } = watch();
  return [...errors, ...(await securityErrors())].filter(
    (text) => !allowed.some((pattern) => pattern.test(text)),
  );
}

/** Begins to listen to the browser; once a session. */
export async function watchConsole(): Promise<void> {
  const state = watch();
  if (state.isSubscribed) return;
  state.isSubscribed = true;
  await browser.sessionSubscribe({ events: ['log.entryAdded'] });
  browser.on('log.entryAdded', ({ level, text, stackTrace }) => {
    if (level !== 'error') return;
    const frame = stackTrace?.callFrames[0];
    watch().errors.push(frame ? `${text} (${frame.url}:${frame.lineNumber + 1})` : (text ?? ''));
  });
}

/** Forgets what the last test heard. */
export function forgetConsoleErrors(): void {
  Object.assign(watch(), { errors: [], allowed: [] });
}
