import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const HERE = join(import.meta.dirname, '..');
export const EDGE_TEMPLATE = join(HERE, 'nginx/nginx.conf.template');
const TLS_CONFIGURATION = join(HERE, 'nginx/tls.conf');
export const SERVICES_TEMPLATE = join(HERE, 'nginx/services.conf.template');

const START_MS = 30_000;
const POLL_MS = 25;

/** What fills the edge's configuration; the same names as in the environment of its container. */
export interface EdgeSettings {
  /** Absolute folder for cache, temporary files and pid. */
  readonly EDGE_DIR: string;
  /** Absolute folder of more directives for both servers, '*.conf': TLS. */
  readonly EDGE_CONF_DIR: string;
  /** Address or port: '8080'. */
  readonly EDGE_LISTEN: string;
  /** Of the cache, e.g. '2g'. */
  readonly EDGE_CACHE_SIZE: string;
  /** What visitors use: 'https', or 'http' on one's own machine. */
  readonly PUBLIC_SCHEME: 'http' | 'https';
  /** `server` lines, e.g. 'server shell:3000 max_fails=1 fail_timeout=2s;'. */
  readonly SHELL_SERVERS: string;
  readonly IDENTITY_SERVERS: string;
  /** Host name under which visitors sign in. */
  readonly IDENTITY_HOST: string;
}

/** What fills the configuration of the balancer behind the shells. */
export interface ServicesSettings {
  /** Absolute folder for temporary files and pid. */
  readonly EDGE_DIR: string;
  /** Addresses and ports: '127.0.0.1:4000'. */
  readonly API_LISTEN: string;
  readonly REGISTRY_LISTEN: string;
  readonly IDENTITY_LISTEN: string;
  /** `server` lines, e.g. 'server 127.0.0.1:24000 max_fails=0;'. */
  readonly API_SERVERS: string;
  readonly REGISTRY_SERVERS: string;
  readonly IDENTITY_SERVERS: string;
}

const isComment = (line: string): boolean => line.trimStart().startsWith('#');

/** Names that the template expects, each once. */
export const settingsOf = (template: string): string[] => [
  ...new Set(
    template
      .split('\n')
      .filter((line) => !isComment(line))
      .flatMap((line) => [...line.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => name as string)),
  ),
];

/** Fills the template as envsubst does. @throws Error that names a setting without value */
export function fillTemplate(template: string, settings: Readonly<Record<string, string>>): string {
  return template
    .split('\n')
    .map((line) =>
      isComment(line)
        ? line
        : line.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
            const value = settings[name];
            if (value === undefined) throw new Error(`nginx.conf.template: ${name} has no value`);
            return value;
          }),
    )
    .join('\n');
}

/** Path of an nginx: NGINX_BIN, the system's, or Debian's fetched for this repository. @throws Error without one */
export const findNginx = (): string =>
  execFileSync(join(HERE, 'fetch-nginx.sh'), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

export interface Nginx {
  /** Resolves when it ends for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** As root, nginx would start its workers as a user who cannot read root's folders. */
const USER = process.getuid?.() === 0 ? 'user root;' : '';

/** Starts nginx as the current user in `EDGE_DIR`, with its log there, and waits until it responds at `url`. */
async function startNginx(
  template: string,
  settings: Readonly<Record<string, string>> & { readonly EDGE_DIR: string },
  url: string,
): Promise<Nginx> {
  const { EDGE_DIR: folder } = settings;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, fillTemplate(readFileSync(template, 'utf8'), settings));
  const log = openSync(join(folder, 'nginx.log'), 'a');
  const child = spawn(findNginx(), ['-p', folder, '-c', file, '-g', `daemon off; ${USER}`], {
    stdio: ['ignore', log, log],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const deadline = Date.now() + START_MS;
  const responds = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await responds())) {
    if (child.exitCode !== null || child.pid === undefined || Date.now() > deadline) {
      await stop();
      throw new Error(`nginx did not start; see ${folder}/nginx.log`);
    }
    await wait(POLL_MS);
  }
  return { ended, stop };
}

/** A port for TLS, and the files of its certificate and key. */
export interface EdgeTls {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
}

/** `tls.conf` with paths and a port of this machine instead of the container's. */
const fillTls = ({ port, certificate, key }: EdgeTls): string =>
  readFileSync(TLS_CONFIGURATION, 'utf8')
    .replace('listen 8443', `listen 127.0.0.1:${port}`)
    .replace('/run/secrets/tls_certificate', certificate)
    .replace('/run/secrets/tls_key', key);

/** Starts the deployed edge on a port of this machine, with `tls` on another one too. */
export async function startEdge(
  folder: string,
  port: number,
  settings: Omit<EdgeSettings, 'EDGE_DIR' | 'EDGE_CONF_DIR' | 'EDGE_LISTEN' | 'EDGE_CACHE_SIZE'>,
  tls?: EdgeTls,
): Promise<Nginx & { readonly url: string }> {
  const EDGE_CONF_DIR = join(folder, 'server.d');
  mkdirSync(EDGE_CONF_DIR, { recursive: true });
  if (tls) writeFileSync(join(EDGE_CONF_DIR, 'tls.conf'), fillTls(tls));
  const url = `http://127.0.0.1:${port}`;
  const own = {
    EDGE_DIR: folder,
    EDGE_CONF_DIR,
    EDGE_LISTEN: `127.0.0.1:${port}`,
    EDGE_CACHE_SIZE: '256m',
  } satisfies Partial<EdgeSettings>;
  const nginx = await startNginx(EDGE_TEMPLATE, { ...settings, ...own }, `${url}/edge/health`);
  return { ...nginx, url };
}

/** Starts the balancer over the services that shells call, on this machine. */
export const startBalancer = (settings: ServicesSettings): Promise<Nginx> =>
  startNginx(SERVICES_TEMPLATE, { ...settings }, `http://${settings.REGISTRY_LISTEN}/health/live`);
