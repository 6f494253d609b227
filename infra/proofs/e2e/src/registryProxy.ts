import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers in place of the registry; false lets the request through. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface RegistryProxy {
  readonly url: string;
  /** What is done to requests from now on; undefined: nothing. */
  misbehave: Misbehaviour | undefined;
  close(): Promise<void>;
}

/** Stands between a shell and its registry, which listens (now or later) on `port`. */
export async function startRegistryProxy(port: number): Promise<RegistryProxy> {
  const server = createServer((request, response) => {
    if (proxy.misbehave?.(request, response)) return;
    const { method, url, headers } = request;
    const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
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

/** One byte now and then, for ever. */
export const drip: Misbehaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const timer = setInterval(() => response.write('x'), 100);
  response.on('close', () => clearInterval(timer));
  return true;
};

/** What a misconfigured host answers for everything. */
export const html: Misbehaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Welcome</title><h1>It works!</h1>');
  return true;
};

export const hang: Misbehaviour = () => true;
