import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALLS, type CallDefinition, type CallName } from '@forecourt/upstream/calls';
import { Registry } from 'prom-client';
import { createGateway, type Gateway } from '../engine/gateway/gateway.ts';
import { type CallTrace, createGatewayMetrics } from '../engine/gateway/gatewayMetrics.ts';

export type CallChanges = Partial<Record<CallName, Partial<CallDefinition>>>;

interface TestGateway {
  readonly gateway: Gateway;
  /** Codes that the gateway logged. */
  readonly codes: string[];
  readonly metrics: Registry;
}

/** Starts gateways over small upstreams, with other limits than the table's. */
export class TestGateways {
  readonly #servers: Server[] = [];

  async start(upstream: RequestListener, changes: CallChanges = {}, trace?: CallTrace): Promise<TestGateway> {
    const server = createServer(upstream);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const codes: string[] = [];
    const metrics = new Registry();
    const gateway = createGateway({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      metrics: createGatewayMetrics(metrics),
      calls: Object.fromEntries(
        Object.entries<CallDefinition>(CALLS).map(([name, call]) => [
          name,
          { ...call, ...changes[name as CallName] },
        ]),
      ) as Record<CallName, CallDefinition>,
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
