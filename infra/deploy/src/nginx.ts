import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = join(import.meta.dirname, '..');
export const EDGE_TEMPLATE = join(HERE, 'nginx/nginx.conf.template');

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
  readonly API_SERVERS: string;
  /** Host name under which visitors sign in. */
  readonly IDENTITY_HOST: string;
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

/** Writes the edge's configuration into its folder and returns the path. */
export function writeEdge(settings: EdgeSettings): string {
  for (const folder of [settings.EDGE_DIR, settings.EDGE_CONF_DIR]) mkdirSync(folder, { recursive: true });
  const file = join(settings.EDGE_DIR, 'nginx.conf');
  writeFileSync(file, fillTemplate(readFileSync(EDGE_TEMPLATE, 'utf8'), { ...settings }));
  return file;
}

/** Path of an nginx: NGINX_BIN, the system's, or Debian's fetched for this repository. @throws Error without one */
export const findNginx = (): string =>
  execFileSync(join(HERE, 'fetch-nginx.sh'), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
