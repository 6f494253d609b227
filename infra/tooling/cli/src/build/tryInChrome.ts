import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { containerGlobal, policyNamesOf } from '@forecourt/releases/containerNames';
import type { Refusal } from '@forecourt/releases/gate';
import { loadRefusal } from '@forecourt/releases/loadRefusal';
import { type ReleaseManifest, releaseFilePath } from '@forecourt/releases/manifest';
import { z } from 'zod';
import { CodedError } from './codedError.ts';
import { trialPageScript } from './trialPageScript.ts';

/** Those that start fastest first. */
const NAMES = [
  ...['chrome-headless-shell', 'chromium-headless-shell'],
  ...['chromium', 'chromium-browser', 'google-chrome', 'chrome'],
];
const START_MS = 20_000;
/** From the page's start to its result. */
const RESULT_MS = 10_000;

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

const resultSchema = z.object({
  fault: z.enum(['ENTRY', 'SHARE_SCOPE', 'MODULE']).optional(),
  message: z.string().optional(),
  /** Errors of the console, and violations of the policy. */
  errors: z.array(z.string()),
});
type Result = z.infer<typeof resultSchema>;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
};

/** The policy of a page: as the shell's, as far as scripts are concerned. */
const policyOf = (nonce: string, remote: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    `trusted-types forecourt ${policyNamesOf(remote).join(' ')}`,
  ].join('; ');

interface Trial {
  /** Folder with the files of the manifest. */
  readonly dist: string;
  readonly manifest: ReleaseManifest;
  /** The modules that a shell shares. */
  readonly shared: readonly { readonly name: string; readonly version: string }[];
}

function createPage({ manifest, shared }: Trial, nonce: string): string {
  const { name, version, entry, slots, files } = manifest;
  const scripts = [...new Set([...Object.values(slots).flatMap((slot) => slot.scripts), entry.web])];
  const task = {
    container: containerGlobal(name),
    exposes: Object.values(slots).map(({ expose }) => expose),
    shared,
    scripts: scripts.map((path) => [releaseFilePath(name, version, path), files[path]?.integrity ?? '']),
  };
  const data = JSON.stringify(task).replaceAll('<', '\\u003c');
  return `<!doctype html><title>Trial</title><script type="application/json" id="task">${data}</script><script nonce="${nonce}">${trialPageScript()}</script>`;
}

/** The page between two trials: it opens the next one. */
const LOBBY = `<!doctype html><title>Trials</title><script>fetch('/next').then(() => location.replace('/trial'));</script>`;

/** Serves one trial after the other to one browser. */
class TrialServer {
  readonly opened = Promise.withResolvers<void>();
  readonly #server = createServer((request, response) => {
    this.#respond(request, response).catch(() => response.destroy());
  });
  #trial: Trial | undefined;
  #onResult: (result: Result) => void = () => {};
  /** Of a browser in the lobby. */
  #waiting: ServerResponse | undefined;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Resolves with the result of the next page. */
  next(trial: Trial): Promise<Result> {
    return new Promise((resolve) => {
      this.#trial = trial;
      this.#onResult = resolve;
      this.#letIn();
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #letIn(): void {
    if (!this.#trial || !this.#waiting) return;
    this.#waiting.writeHead(204).end();
    this.#waiting = undefined;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('cache-control', 'no-store');
    if (pathname === '/') {
      this.opened.resolve();
      response.setHeader('content-type', 'text/html; charset=utf-8').end(LOBBY);
    } else if (pathname === '/next') {
      this.#waiting = response;
      this.#letIn();
    } else if (this.#trial) await this.#respondIn(this.#trial, pathname, request, response);
    else response.writeHead(404).end();
  }

  async #respondIn(trial: Trial, pathname: string, request: IncomingMessage, response: ServerResponse) {
    const { name, version } = trial.manifest;
    const folder = releaseFilePath(name, version, '');
    const path = pathname.slice(folder.length);
    if (pathname === '/trial') {
      const nonce = randomUUID();
      response.setHeader('content-security-policy', policyOf(nonce, name));
      response.setHeader('content-type', 'text/html; charset=utf-8').end(createPage(trial, nonce));
    } else if (pathname === '/result') {
      const result = resultSchema.parse(JSON.parse(await text(request)));
      response.writeHead(204).end();
      this.#trial = undefined;
      this.#onResult(result);
    } else if (pathname.startsWith(folder) && Object.hasOwn(trial.manifest.files, path)) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('content-type', TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
      response.end(readFileSync(join(trial.dist, path)));
    } else response.writeHead(404).end();
  }
}

function refusalsOf({ fault, message, errors }: Result): Refusal[] {
  if (message !== undefined) return [loadRefusal('browser', fault, `in Chrome: ${message}`)];
  return errors.slice(0, 3).map((error) => loadRefusal('browser', 'MODULE', `in Chrome: ${error}`));
}

/** A headless Chrome with its own profile, in which releases are tried one after the other. */
export interface TrialBrowser {
  /**
   * Loads the web side of a release, by a page with the policy of a shell's. The modules that pages share are stand-ins, which take
   * every call: it is about loading. A release that does not load in time is the last one: the page may never respond again.
   */
  readonly try: (trial: Trial) => Promise<readonly Refusal[]>;
  readonly close: () => Promise<void>;
}

/** @throws CodedError if Chrome does not open a page. `resultMs`: time for each release */
export async function openTrialBrowser(chrome: string, resultMs = RESULT_MS): Promise<TrialBrowser> {
  const server = new TrialServer();
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
      // Chrome has no sandbox for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      url,
    ],
    { stdio: 'ignore', detached: process.platform !== 'win32' },
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
      const late = Promise.withResolvers<Result>();
      const timer = setTimeout(
        () => late.resolve({ errors: [], message: `it did not load in ${resultMs / 1000} s` }),
        resultMs,
      );
      try {
        return refusalsOf(await Promise.race([server.next(trial), late.promise]));
      } finally {
        clearTimeout(timer);
      }
    },
    close,
  };
}

/** Tries one release in a browser of its own. @throws CodedError if Chrome does not open the page */
export async function tryInChrome(trial: Trial, chrome: string): Promise<readonly Refusal[]> {
  const browser = await openTrialBrowser(chrome);
  try {
    return await browser.try(trial);
  } finally {
    await browser.close();
  }
}
