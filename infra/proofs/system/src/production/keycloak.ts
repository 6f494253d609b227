import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@forecourt/local';
import { type ProofContext, until } from '../proof.ts';
import { KEYCLOAK, KEYCLOAK_PORT } from './hosts.data.ts';

const VERSION = '26.7.3';
const CACHE = join(REPOSITORY, '.cache/keycloak');
const JAVA = 17;
/** ms of a download of 180 MB. */
const FETCH_MS = 300_000;
/** It uses 40 s of CPU time, which a busy machine gives it slowly. */
const START_MS = 400_000;
const ADMIN = { username: 'admin', password: 'production-proof' };

/** Where Keycloak is, or in plain words why it isn't. */
export type KeycloakFolder = { readonly folder: string } | { readonly missing: string };

const run = promisify(execFile);

async function javaVersion(): Promise<number | undefined> {
  try {
    const { stderr } = await run('java', ['-version']);
    return Number(/version "(\d+)/.exec(stderr)?.[1]);
  } catch {
    // There is no Java.
    return undefined;
  }
}

/** Keycloak of KEYCLOAK_HOME, or fetched by Maven for this repository. */
export async function findKeycloak(): Promise<KeycloakFolder> {
  if (((await javaVersion()) ?? 0) < JAVA) return { missing: `needs Java ${JAVA}` };
  const folder = process.env['KEYCLOAK_HOME'] ?? join(CACHE, `keycloak-${VERSION}`);
  if (existsSync(join(folder, 'bin/kc.sh'))) return { folder };
  mkdirSync(CACHE, { recursive: true });
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
  try {
    await run(
      'mvn',
      ['-q', '-B', 'dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${CACHE}`],
      {
        cwd: CACHE,
        timeout: FETCH_MS,
      },
    );
  } catch {
    return { missing: `${artifact} can't be fetched by Maven` };
  }
  return { folder };
}

export interface Keycloak {
  /** A call of the administrators' API below `/admin/realms`. @throws Error unless it succeeds */
  readonly administer: (method: string, path: string, body?: object) => Promise<unknown>;
}

/** Starts a Keycloak with its data in memory, in the namespace of the Internet. */
export async function startKeycloak(
  { namespace, tlsFolder, folder }: { namespace: string; tlsFolder: string; folder: string },
  { onEnd }: Pick<ProofContext, 'onEnd'>,
): Promise<Keycloak> {
  const certificate = join(tlsFolder, 'tls.crt');
  const options = [
    '--db=dev-mem',
    // In development, the default is this machine alone.
    '--http-host=0.0.0.0',
    `--https-port=${KEYCLOAK_PORT}`,
    `--https-certificate-file=${certificate}`,
    `--https-certificate-key-file=${join(tlsFolder, 'tls.key')}`,
    `--truststore-paths=${certificate}`,
    `--hostname=${KEYCLOAK}`,
    `--http-relative-path=${new URL(KEYCLOAK).pathname}`,
  ];
  const log = openSync(join(tlsFolder, 'keycloak.log'), 'a');
  const child = spawn(
    'ip',
    ['netns', 'exec', namespace, join(folder, 'bin/kc.sh'), 'start-dev', ...options],
    {
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        // It doesn't run for long enough that the better compiler pays.
        JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      },
      // Its first start runs a second Java.
      detached: true,
    },
  );
  const ended = once(child, 'exit');
  onEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await ended;
  });
  await until(
    'Keycloak is there',
    () => {
      if (child.exitCode !== null) throw new Error(`Keycloak ended with ${child.exitCode}`);
      return fetch(`${KEYCLOAK}/realms/master`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    { limitMs: START_MS, everyMs: 250 },
  );
  async function tokenOfAdmin(): Promise<string> {
    const body = new URLSearchParams({ ...ADMIN, client_id: 'admin-cli', grant_type: 'password' });
    const response = await fetch(`${KEYCLOAK}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body,
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }
  return {
    async administer(method, path, body) {
      const response = await fetch(`${KEYCLOAK}/admin/realms${path}`, {
        method,
        headers: { Authorization: `Bearer ${await tokenOfAdmin()}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`Keycloak: ${method} ${path}: ${response.status} ${text}`);
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    },
  };
}
