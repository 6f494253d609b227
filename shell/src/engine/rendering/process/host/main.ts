import { join } from 'node:path';
import { createProcess, isRoot, RELEASE_HEAP, type Sandbox } from '../sandbox.ts';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '../../../universal/messageOf.ts';
import { openChannel } from '../channel.ts';
import type { UsageSource } from '../usage.ts';
import { TO_HOST_LIMITS, HOST_PROTOCOL, type FromHost, type ToHost } from './hostProtocol.ts';

const SAMPLE_MS = 50;
/** While more bytes wait for the shell, nothing is read from the process, so that a flood fills its pipes and not this memory. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Sends what a process has used whenever it has changed. Returns a function that ends it. */
function reportUsage(source: UsageSource, send: (message: FromHost) => void): () => void {
  let last = '';
  const report = () => {
    const message = { kind: 'usage', usage: source.usage(), allCpuMs: source.allCpuMs() } as const;
    const text = JSON.stringify(message);
    if (text !== last) send(message);
    last = text;
  };
  report();
  const timer = setInterval(report, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    source.close();
  };
}

/** One process for one connection; it ends with the connection. */
function serve(sandbox: Sandbox, connection: Socket): void {
  const { child, channel, usage, seal } = sandbox.start();
  const sources = [channel, child.stdout, child.stderr];
  let isWaiting = false;
  const send = (message: FromHost, body?: Buffer) => {
    if (connection.destroyed) return;
    if (host.send(message, body && [body]) <= MAX_WAITING_BYTES || isWaiting) return;
    isWaiting = true;
    for (const source of sources) source?.pause();
    connection.once('drain', () => {
      isWaiting = false;
      for (const source of sources) source?.resume();
    });
  };
  const end = (reason: string) => {
    send({ kind: 'ended', reason: reason.slice(0, 1_000) });
    connection.end();
  };
  const host = openChannel<FromHost>(connection, {
    ...TO_HOST_LIMITS,
    receive(header, body) {
      // The shell is trusted, as it is by the program.
      const message = header as ToHost;
      if (message.kind === 'data') channel.write(body);
      else if (message.kind === 'priority') void usage.then((source) => source.lowerPriority(message.isLow));
      else
        void seal().then(
          () => send({ kind: 'sealed' }),
          (error: unknown) => send({ kind: 'not-sealed', reason: messageOf(error).slice(0, 1_000) }),
        );
    },
    broken: () => connection.destroy(),
  });
  send({ kind: 'hello', protocol: HOST_PROTOCOL, notes: [...sandbox.notes] });
  channel.on('data', (bytes: Buffer) => send({ kind: 'data' }, bytes));
  channel.on('error', () => {});
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => send({ kind: 'output' }, bytes));
  child.on('error', (error) => end(messageOf(error)));
  child.on('exit', (code, signal) => end(`its process ended with ${signal ?? code}`));
  connection.on('error', () => {});
  let stop: (() => void) | undefined;
  void usage.then((source) => {
    if (connection.destroyed) source.close();
    else stop = reportUsage(source, send);
  });
  connection.on('close', () => {
    stop?.();
    channel.destroy();
    child.kill('SIGKILL');
  });
}

/**
 * Listens at a Unix socket for shells, and runs a process of a release for each connection. It evaluates no release
 * itself. A socket that an ended host has left is replaced.
 */
function listenForShells(sandbox: Sandbox, path: string): Server {
  rmSync(path, { force: true });
  const server = createServer((connection) => serve(sandbox, connection));
  server.listen(path, () => chmodSync(path, 0o660));
  return server;
}

// The release host: the entry point of the container in which releases run. `node releaseHost.cjs SOCKET`
const [, , socket] = process.argv;
if (socket === undefined) {
  process.stderr.write('release-host: usage: releaseHost.cjs SOCKET\n');
  process.exit(1);
}
const program = join(__dirname, 'release.cjs');
const server = listenForShells(createProcess({ program, ...RELEASE_HEAP }, isRoot()), socket);
server.on('error', (error) => {
  process.stderr.write(`release-host: ${error.message}\n`);
  process.exit(1);
});
server.on('listening', () => process.stdout.write(`release-host: listening at ${socket}\n`));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
