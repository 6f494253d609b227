import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { messageOf } from '../../../universal/messageOf.ts';
import { openChannel, type Channel } from '../channel.ts';
import type { Sandbox, SandboxedProcess, StartedChild } from '../sandbox.ts';
import type { ProcessUsage, UsageSource } from '../usage.ts';
import {
  FROM_HOST_LIMITS,
  HOST_PROTOCOL,
  parseFromHost,
  type FromHost,
  type ToHost,
} from './hostProtocol.ts';

/** The last usage that the host reported, at most 50 ms ago; the release cannot report it itself. */
class ReportedUsage implements UsageSource {
  #usage: ProcessUsage | undefined;
  #allCpuMs = 0;
  readonly lowerPriority: UsageSource['lowerPriority'];

  constructor(lowerPriority: UsageSource['lowerPriority']) {
    this.lowerPriority = lowerPriority;
  }

  report(usage: ProcessUsage | undefined, allCpuMs: number): void {
    this.#usage = usage;
    this.#allCpuMs = allCpuMs;
  }

  readonly runTime = () => this.#usage;
  readonly usage = () => this.#usage;
  readonly allCpuMs = () => this.#allCpuMs;
  readonly close = () => {};
}

/** A process that a release host runs, over one connection. */
class HostedProcess extends EventEmitter implements StartedChild {
  readonly stdout = new PassThrough();
  readonly stderr = null;
  readonly channel: Duplex;
  readonly #socket: Socket;
  readonly #host: Channel<ToHost>;
  readonly #reported = new ReportedUsage((isLow) => void this.#host.send({ kind: 'priority', isLow }));
  readonly #usage = Promise.withResolvers<UsageSource>();
  readonly usage = this.#usage.promise;
  readonly #sealed = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(path: string) {
    super();
    this.#sealed.promise.catch(() => {});
    this.#socket = connect(path);
    this.#host = openChannel<ToHost>(this.#socket, {
      ...FROM_HOST_LIMITS,
      receive: (header, body) => this.#receive(header, body),
      broken: (reason) => this.#end(`the release host broke the protocol: ${reason}`),
    });
    this.channel = new Duplex({
      read: () => this.#socket.resume(),
      write: (bytes: Buffer, _, done) => {
        const waiting = this.#host.send({ kind: 'data' }, [bytes]);
        if (waiting < this.#socket.writableHighWaterMark) done();
        else this.#socket.once('drain', () => done());
      },
      final: (done) => {
        this.#socket.destroy();
        done();
      },
      destroy: (error, done) => {
        this.#socket.destroy();
        done(error);
      },
    });
    this.#socket.on('error', (error) => this.#end(`the release host is away: ${error.message}`));
    this.#socket.on('close', () => this.#end('the release host closed the connection'));
  }

  readonly seal = (): Promise<void> => {
    this.#host.send({ kind: 'seal' });
    return this.#sealed.promise;
  };

  readonly unref = (): void => void this.#socket.unref();

  readonly kill = (): void => void this.#socket.destroy();

  #receive(raw: unknown, body: Buffer): void {
    let message: FromHost;
    try {
      message = parseFromHost(raw);
    } catch (error) {
      return this.#end(`the release host broke the protocol: ${messageOf(error).slice(0, 300)}`);
    }
    switch (message.kind) {
      case 'hello':
        if (message.protocol !== HOST_PROTOCOL)
          this.#end(`the release host speaks protocol ${message.protocol}, this shell ${HOST_PROTOCOL}`);
        return;
      case 'data':
        if (!this.channel.push(body)) this.#socket.pause();
        return;
      case 'output':
        return void this.stdout.write(body);
      case 'usage':
        this.#reported.report(message.usage, message.allCpuMs);
        return this.#usage.resolve(this.#reported);
      case 'sealed':
        return this.#sealed.resolve();
      case 'not-sealed':
        return this.#sealed.reject(new Error(message.reason));
      case 'ended':
        return this.#end(message.reason);
    }
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#socket.destroy();
    this.#sealed.reject(new Error(reason));
    this.emit('error', new Error(reason));
  }
}

/** Releases run in the container of the release host that listens at `socket`. */
export const createHostedSandbox = (socket: string): Sandbox => ({
  level: 'container',
  notes: [`releases run where the release host at ${socket} runs, as isolated as its container is`],
  start(): SandboxedProcess {
    const child = new HostedProcess(socket);
    // Ended before anyone listens.
    child.on('error', () => {});
    return { child, channel: child.channel, usage: child.usage, seal: child.seal };
  },
});
