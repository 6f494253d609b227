import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Refusal } from '@forecourt/releases/gate';
import { CodedError } from '../build/codedError.ts';
import { hangRefusal, trialRefusals } from './trialRefusals.ts';
import { type Trial, TrialServer } from './trialServer.ts';

/** Those that start fastest first. */
const NAMES = [
  ...['chrome-headless-shell', 'chromium-headless-shell'],
  ...['chromium', 'chromium-browser', 'google-chrome', 'chrome'],
];
const START_MS = 20_000;
/** For loading a release, and for each render. */
const PROGRESS_MS = 10_000;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** CHROME_BIN, or Chrome or Chromium in the path. */
export function findChrome(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { CHROME_BIN, PATH = '' } = environment;
  if (CHROME_BIN !== undefined) return CHROME_BIN;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** A visitor elsewhere: what is formatted in the browser's own language or time zone differs from the server's HTML. */
const TIME_ZONE = 'Pacific/Chatham';
const LANGUAGE = 'de-DE';

/** What a browser found. */
export interface TrialReport {
  readonly refusals: readonly Refusal[];
  readonly evaluationMs: number;
  /** Each slot over each recorded page, as far as it was tried. */
  readonly renders: readonly { slot: string; context: string; isGood: boolean; ms: number; html: string }[];
}

/** A headless Chrome with its own profile, in which releases are tried one after the other. */
export interface TrialBrowser {
  /**
   * Loads the web side of a release in a page with the policy of a shell's, and hydrates its slots. A release whose page hangs is
   * the last one: the page may never respond again.
   */
  readonly try: (trial: Trial) => Promise<TrialReport>;
  readonly close: () => Promise<void>;
}

/**
 * @param options.script the page's program, see `packTrialPage`
 * @param options.progressMs time for loading a release, and for each render
 * @throws CodedError if Chrome does not open a page
 */
export async function openTrialBrowser(
  chrome: string,
  { script, progressMs = PROGRESS_MS }: { readonly script: Promise<string>; readonly progressMs?: number },
): Promise<TrialBrowser> {
  const server = new TrialServer(script);
  const url = await server.listen();
  const profile = mkdtempSync(join(tmpdir(), 'forecourt-chrome-'));
  const unusable = (reason: string, cause?: unknown) =>
    new CodedError('BROWSER_UNUSABLE', `${chrome} ${reason}; set CHROME_BIN to a Chrome that runs here`, {
      cause,
    });
  const child = spawn(
    chrome,
    [
      ...['--headless', '--disable-gpu', '--no-first-run', '--disable-extensions', '--disable-dev-shm-usage'],
      ...['--disable-background-networking', `--user-data-dir=${profile}`],
      ...[`--lang=${LANGUAGE}`, `--accept-lang=${LANGUAGE}`],
      // Chrome has no sandbox for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      url,
    ],
    { stdio: 'ignore', detached: process.platform !== 'win32', env: { ...process.env, TZ: TIME_ZONE } },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { opened } = server;
  child.once('error', (error) => opened.reject(unusable('does not start', error)));
  child.once('exit', (status) => opened.reject(unusable(`ended with status ${status}`)));
  const starting = setTimeout(() => opened.reject(unusable('opened no page')), START_MS);

  const close = async () => {
    // With its helpers, which are in its group.
    if (child.pid !== undefined && child.exitCode === null)
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    if (child.pid !== undefined) await ended;
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await opened.promise;
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(starting);
  }
  return {
    async try(trial) {
      await script;
      return tryOnce(server, trial, progressMs);
    },
    close,
  };
}

const REPORT_OF_NONE = { evaluationMs: 0, renders: [] };

/** Resolves with the page's result, or when the page has made no progress for a while. */
function tryOnce(server: TrialServer, trial: Trial, progressMs: number): Promise<TrialReport> {
  return new Promise((resolve) => {
    const names = trial.pages.map(({ name }) => name);
    let at: { slot: string; page: string } | undefined;
    const giveUp = () => resolve({ ...REPORT_OF_NONE, refusals: [hangRefusal(at, progressMs)] });
    let timer = setTimeout(giveUp, progressMs);
    server.start(trial, {
      onProgress(render) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, progressMs);
        at = render && { slot: render.slot, page: names[render.page] ?? '' };
      },
      onResult(result) {
        clearTimeout(timer);
        const renders = result.renders.map(({ slot, page, ms, html, faults }) => ({
          ...{ slot, html, ms: Math.round(ms) },
          context: names[page] ?? '',
          isGood: faults.length === 0,
        }));
        const { evaluationMs } = result;
        resolve({ refusals: trialRefusals(result, names), evaluationMs, renders });
      },
    });
  });
}
