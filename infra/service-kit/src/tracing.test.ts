import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from '@jest/globals';
import { startExport } from './tracing.ts';

const KEY = 'OTEL_SERVICE_NAME';
const nameBefore = process.env[KEY];
afterEach(() => {
  if (nameBefore === undefined) delete process.env[KEY];
  else process.env[KEY] = nameBefore;
});

it.each([
  ['as the service calls itself', '', 'forecourt-api'],
  ['as OTEL_SERVICE_NAME says, which the SDK reads', 'cars', 'cars'],
])('names the service in traces %s', async (_, configured, expected) => {
  process.env[KEY] = configured;
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const onDropped = (reason: Error | undefined) => expect(reason).toBeUndefined();
  const exporting = await startExport({ endpoint, serviceName: 'forecourt-api', share: 1, onDropped });
  exporting.tracer.startSpan('a step').end();
  await exporting.close();
  receiver.close();
  receiver.closeAllConnections();
  expect(received.join()).toContain(`{"key":"service.name","value":{"stringValue":"${expected}"}}`);
});

it('loads the SDK of traces in one place, and only when that is called', () => {
  const folder = import.meta.dirname;
  const users = readdirSync(folder)
    .filter((file) => !file.endsWith('.test.ts') && file.endsWith('.ts'))
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes("'@opentelemetry/"));
  expect(users).toEqual(['tracing.ts']);
  const source = readFileSync(join(folder, 'tracing.ts'), 'utf8');
  const lines = source.split('\n').filter((line) => line.includes("'@opentelemetry/"));
  for (const line of lines) expect(line).toMatch(/^import type |await import\(/);
});
