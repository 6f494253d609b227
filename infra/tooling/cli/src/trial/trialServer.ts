import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { containerGlobal, policyNamesOf } from '@forecourt/releases/containerNames';
import { type ReleaseManifest, releaseFilePath } from '@forecourt/releases/manifest';
import {
  type TrialPage,
  type TrialRender,
  type TrialResult,
  type TrialTask,
  type TrialTimes,
  trialResultSchema,
} from './trialTask.ts';

/** A release, and what to render of it. */
export interface Trial {
  /** Folder with the files of the manifest. */
  readonly dist: string;
  readonly manifest: ReleaseManifest;
  readonly pages: readonly TrialPage[];
  readonly renders: readonly TrialRender[];
  readonly times?: TrialTimes;
}

const TIMES: TrialTimes = { loadMs: 8_000, readyMs: 5_000 };

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
};

/** The policy of a shell's page. */
const policyOf = (nonce: string, remote: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types forecourt ${policyNamesOf(remote).join(' ')}`,
  ].join('; ');

/** Where the page's program is. */
const PROGRAM = '/trial.js';

function createTask({ manifest, renders, times }: Trial): TrialTask {
  const { name, version, entry, slots, files } = manifest;
  const all = Object.values(slots);
  const located = (paths: readonly string[]) =>
    [...new Set(paths)].map(
      (path) => [releaseFilePath(name, version, path), files[path]?.integrity ?? ''] as const,
    );
  return {
    container: containerGlobal(name),
    exposes: Object.fromEntries(Object.entries(slots).map(([slot, { expose }]) => [slot, expose])),
    scripts: located([...all.flatMap(({ scripts }) => scripts), entry.web]),
    styles: located(all.flatMap(({ styles }) => styles)),
    renders: renders.length,
    ...{ ...TIMES, ...times },
  };
}

function createPage(trial: Trial, nonce: string): string {
  const task = JSON.stringify(createTask(trial)).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><title>Trial</title></head><body><script type="application/json" id="task">${task}</script><script nonce="${nonce}" src="${PROGRAM}"></script></body></html>`;
}

/** The page between two trials: it opens the next one. */
const LOBBY = `<!doctype html><title>Trials</title><script>fetch('/next').then(() => location.replace('/trial'));</script>`;

/** Stands for each picture of a recorded page. */
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>';

interface Running {
  readonly trial: Trial;
  readonly listener: Listener;
}

interface Listener {
  readonly onResult: (result: TrialResult) => void;
  /** The page does something: its n-th render, or the loading before. */
  readonly onProgress: (render: TrialRender | undefined) => void;
}

/** Serves one trial after the other to one browser. */
export class TrialServer {
  readonly opened = Promise.withResolvers<void>();
  readonly #script: Promise<string>;
  readonly #server = createServer((request, response) => {
    this.#respond(request, response).catch(() => response.destroy());
  });
  #current: Running | undefined;
  /** Of a browser in the lobby. */
  #waiting: ServerResponse | undefined;

  /** `script`: the page's program, see `packTrialPage`. */
  constructor(script: Promise<string>) {
    this.#script = script;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The trial of the next page. */
  start(trial: Trial, listener: Listener): void {
    this.#current = { trial, listener };
    this.#letIn();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #letIn(): void {
    if (!this.#current || !this.#waiting) return;
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
    } else if (pathname === PROGRAM) send(response, 'js', await this.#script);
    else if (this.#current) await this.#respondIn(this.#current, pathname, request, response);
    else response.writeHead(404).end();
  }

  async #respondIn(
    { trial, listener }: Running,
    pathname: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { name, version, files } = trial.manifest;
    const folder = releaseFilePath(name, version, '');
    const [, what, number] = /^\/(render|page)\/(\d+)$/.exec(pathname) ?? [];
    if (pathname === '/trial') {
      const nonce = randomUUID();
      response.setHeader('content-security-policy', policyOf(nonce, name));
      response.setHeader('content-type', 'text/html; charset=utf-8').end(createPage(trial, nonce));
    } else if (pathname === '/result') {
      const result = trialResultSchema.parse(JSON.parse(await text(request)));
      response.writeHead(204).end();
      this.#current = undefined;
      listener.onResult(result);
    } else if (what === 'page') send(response, 'json', JSON.stringify(trial.pages[Number(number)]));
    else if (what === 'render') {
      const render = trial.renders[Number(number)];
      listener.onProgress(render);
      send(response, 'json', JSON.stringify(render));
    } else if (pathname.startsWith(folder) && Object.hasOwn(files, pathname.slice(folder.length))) {
      response.setHeader('access-control-allow-origin', '*');
      send(
        response,
        pathname.split('.').at(-1) ?? '',
        readFileSync(join(trial.dist, pathname.slice(folder.length))),
      );
    } else if (request.headers['sec-fetch-dest'] === 'image' && !pathname.startsWith('/remotes/'))
      send(response, 'svg', PICTURE);
    else response.writeHead(404).end();
  }
}

function send(response: ServerResponse, extension: string, content: string | Buffer): void {
  response.setHeader('content-type', TYPES[extension] ?? 'application/octet-stream').end(content);
}
