import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responds in place of the registry; false forwards the request. */
export type Misbehavior = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface RegistryProxy {
  readonly url: string;
  /** Applied to requests from now on; undefined forwards all of them. */
  misbehave: Misbehavior | undefined;
  close(): Promise<void>;
}

/** A proxy between a shell and its registry, which listens (now or later) on `port`. */
export async function startRegistryProxy(port: number): Promise<RegistryProxy> {
  const server = createServer((request, response) => {
    if (proxy.misbehave?.(request, response)) return;
    const { method, url, headers } = request;
    const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      upstreamResponse.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: RegistryProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misbehave: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

/** Sends one byte every 100 ms and never ends. */
export const drip: Misbehavior = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const timer = setInterval(() => response.write('x'), 100);
  response.on('close', () => clearInterval(timer));
  return true;
};

/** The default page of a misconfigured host, with status 200. */
export const html: Misbehavior = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Welcome</title><h1>It works!</h1>');
  return true;
};

export const hang: Misbehavior = () => true;
