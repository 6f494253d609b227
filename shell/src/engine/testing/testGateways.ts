import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { Registry } from 'prom-client';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { type CallTrace, createGatewayMetrics } from '../gateway/gatewayMetrics.ts';

export type CallChanges<Name extends string> = Partial<Record<Name, Partial<CallDefinition>>>;

interface TestGateway {
  readonly gateway: Gateway;
  /** Codes that the gateway logged. */
  readonly codes: string[];
  readonly metrics: Registry;
}

/** Starts gateways over small upstreams, with other limits than those of the table `calls`. */
export class TestGateways<Name extends string> {
  readonly #calls: Readonly<Record<Name, CallDefinition>>;
  readonly #servers: Server[] = [];

  constructor(calls: Readonly<Record<Name, CallDefinition>>) {
    this.#calls = calls;
  }

  async start(
    upstream: RequestListener,
    changes: CallChanges<Name> = {},
    trace?: CallTrace,
  ): Promise<TestGateway> {
    const server = createServer(upstream);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const codes: string[] = [];
    const metrics = new Registry();
    const calls = Object.fromEntries(
      Object.entries<CallDefinition>(this.#calls).map(([name, call]) => [
        name,
        { ...call, ...changes[name as Name] },
      ]),
    );
    const gateway = createGateway({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      metrics: createGatewayMetrics(metrics),
      calls: calls as never,
      trace,
      log: ({ code }) => codes.push(code),
    });
    return { gateway, codes, metrics };
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
