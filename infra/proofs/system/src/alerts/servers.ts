import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { MONITORING, monitoringFiles } from '@forecourt/deploy/monitoring';
import type { PostgresServer } from '@forecourt/service-kit/testing';
import type { ShellReplica } from '@forecourt/harness/shellReplica';
import type { Stack } from '@forecourt/local';
import sharp from 'sharp';
import { SMTPServer } from 'smtp-server';
import { z } from 'zod';
import { until } from '../proof.ts';

/** A server that starts and stops, any number of times, on the same port. */
export interface StoppableServer {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Forwards connections to the port `target` while it runs. */
export function createTcpProxy(port: number, target: number): StoppableServer {
  const sockets = new Set<Socket>();
  const server = createTcpServer((client) => {
    const onward = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => void (sockets.delete(socket), other.destroy()));
      socket.pipe(other);
    }
  });
  return {
    start: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export interface MailServer extends StoppableServer {
  refuses: boolean;
}

/** A mail server that takes emails, or refuses every recipient for good. */
export function createMailServer(port: number): MailServer {
  let server: SMTPServer | undefined;
  const mail = {
    refuses: false,
    async start() {
      const one = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onRcptTo: (_address, _session, done) =>
          done(mail.refuses ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
        onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
      });
      one.on('error', () => undefined);
      await new Promise<void>((resolve) => one.listen(port, '127.0.0.1', resolve));
      server = one;
    },
    async stop() {
      await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()));
      server = undefined;
    },
  };
  return mail;
}

export interface PhotoServer extends StoppableServer {
  areMissing: boolean;
}

/** A dealer's photos: one picture under every path, or 404 while they are missing. */
export async function createPhotoServer(port: number): Promise<PhotoServer> {
  const color = { r: 163, g: 51, b: 51 };
  const photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
  let server: Server | undefined;
  const photos = {
    areMissing: false,
    async start() {
      const one = createServer((_, response) => {
        if (photos.areMissing) response.writeHead(404).end();
        else response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(photo);
      });
      await new Promise<void>((resolve) => one.listen(port, '127.0.0.1', resolve));
      server = one;
    },
    async stop() {
      server?.closeAllConnections();
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
      server = undefined;
    },
  };
  return photos;
}

/** What the faults are caused with. */
export interface Site {
  readonly stack: Stack;
  /** A second shell, with its own connection to the registry and a database for rate limits. */
  readonly second: ShellReplica;
  readonly database: PostgresServer;
  /** Proxies between the two shells and the registry. */
  readonly toRegistry: readonly [StoppableServer, StoppableServer];
  readonly mail: MailServer;
  readonly photos: {
    readonly lost: PhotoServer;
    readonly silent: StoppableServer;
    readonly lostOrigin: string;
    readonly silentOrigin: string;
  };
}

/** Every duration of the rules is sixty times as short: an hour takes a minute. */
const inMinutes = (rules: string): string =>
  rules
    .replace(/(?<=\[|offset |for: )(\d+)m\b/g, '$1s')
    .replace(/(?<=\[|offset |for: )(\d+)h\b/g, '$1m')
    .replace(/(?<=\[|offset |for: )(\d+)d\b/g, (_, days: string) => `${24 * Number(days)}m`);

/** The addresses that Prometheus scrapes, by job. */
export type Targets = Readonly<Record<string, readonly string[]>>;

export interface Alerts {
  /** Names of the alerts that fire now. */
  readonly firing: () => Promise<ReadonlySet<string>>;
  readonly stop: () => Promise<void>;
}

/** Prometheus with the rules as deployed, on a faster clock. @throws Error without Debian's `prometheus` */
export async function startPrometheus(folder: string, port: number, targets: Targets): Promise<Alerts> {
  mkdirSync(folder, { recursive: true });
  for (const path of monitoringFiles('*.rules.yaml'))
    writeFileSync(join(folder, path), inMinutes(readFileSync(join(MONITORING, path), 'utf8')));
  const config = join(folder, 'prometheus.yaml');
  writeFileSync(
    config,
    // JSON is YAML.
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['*.rules.yaml'],
      scrape_configs: Object.entries(targets).map(([job_name, all]) => ({
        job_name,
        static_configs: [{ targets: all }],
      })),
    }),
  );
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--query.lookback-delta=5s',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await Promise.race([
    once(child, 'spawn'),
    once(child, 'error').then(() => {
      throw new Error("Debian's package prometheus is not installed: nothing was proven");
    }),
  ]);
  const url = `http://127.0.0.1:${port}`;
  await until('Prometheus', () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    async firing() {
      const { data } = alertList.parse(await (await fetch(`${url}/api/v1/alerts`)).json());
      return new Set(
        data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname),
      );
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const alertList = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string() }) })),
  }),
});
