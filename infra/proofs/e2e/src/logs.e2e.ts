import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { browser } from '@wdio/globals';
import { REPOSITORY } from '@forecourt/local';
import { describe, it } from 'mocha';
import { allowConsoleErrors } from './consoleErrors.ts';
import { apiOrigin, dataDir, shellOrigin } from './sharedStack.ts';
import { loggedLines, logLines } from './serviceLogs.ts';
import { z } from 'zod';

/** Services of the platform, as their log lines and errors name them. */
export const SERVICES = ['shell', 'marketplace-api', 'remote-registry', 'identity'] as const;

/** pino's numbers: debug, info, warn, error, fatal. */
const level = z.union([20, 30, 40, 50, 60].map((value) => z.literal(value)));

/** A line of any service's log. Fields that only one service writes may follow those listed here; `msg` is the last. */
const lineSchema = z.looseObject({
  level,
  time: z.number().int().positive(),
  service: z.enum(SERVICES),
  requestId: z
    .string()
    .regex(/^[\w.:-]{1,128}$/)
    .optional(),
  /** Of a shell that traces requests. */
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** Of a remote: 'mfe-results@1.4.0'; 'shell' for the shell's own slots. */
  release: z
    .string()
    .regex(/^(?:[\w-]+@\S+|shell)$/)
    .optional(),
  method: z.string().optional(),
  /** A pattern or a name, never the URL. */
  route: z.string().optional(),
  status: z.number().int().optional(),
  ms: z.number().optional(),
  calls: z.unknown().optional(),
  /** Stable, for machines. */
  code: z.string().optional(),
  reason: z.string().optional(),
  err: z.looseObject({ type: z.string() }).optional(),
  msg: z.string().min(1),
});
const ORDER = Object.keys(lineSchema.shape).filter((name) => name !== 'msg');
const REQUEST_FIELDS = ['requestId', 'method', 'route', 'status', 'ms'] as const;

type LogLine = z.infer<typeof lineSchema>;

/** Parses a line of a log. @throws Error when it lacks a field of every line, or has them in another order */
function parseLogLine(text: string): LogLine {
  const line = lineSchema.parse(JSON.parse(text));
  // zod keeps unknown keys, but not the order of the text.
  const names = Object.keys(JSON.parse(text) as object);
  const known = names.filter((name) => ORDER.includes(name));
  assert.deepEqual(
    known,
    ORDER.filter((name) => names.includes(name)),
    text,
  );
  assert.deepEqual(names.slice(0, known.length), known, `other fields come first: ${text}`);
  assert.equal(names.at(-1), 'msg', text);
  if (line.msg === 'request')
    for (const field of REQUEST_FIELDS)
      assert.notEqual(line[field], undefined, `${field} is missing: ${text}`);
  return line;
}

const PROGRAMS: Readonly<Record<(typeof SERVICES)[number], string>> = {
  shell: 'shell/dist/server/server.cjs',
  'marketplace-api': 'infra/services/marketplace-api/src/server.ts',
  'remote-registry': 'infra/services/remote-registry/src/server.ts',
  identity: 'infra/services/identity/src/server.ts',
};

/** What a service prints that is started with these variables only, and its exit status. */
async function startWith(program: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(REPOSITORY, program)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (printed += text.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { printed, status };
}

describe('logs of all services', () => {
  it('writes each line with the same fields in the same order, and one request id from page to upstream', async () => {
    allowConsoleErrors(/404/);
    const page = await fetch(
      `${shellOrigin()}/cars-for-sale/all/ford?minPrice=${Date.now() % 10_000}&zip=60601`,
      { headers: { 'x-request-id': `logs-${Date.now()}` } },
    );
    // An edge replaces the visitor's.
    const requestId = page.headers.get('x-request-id') ?? '';
    assert.ok(requestId.length > 8, requestId);
    await fetch(`${apiOrigin()}/no-such-call`, { headers: { 'x-request-id': requestId } });
    await browser.url(`${shellOrigin()}/account/sign-in?refUrl=%2Faccount`);
    for (const service of ['shell', 'marketplace-api'])
      assert.ok(
        (await loggedLines(dataDir(), [requestId], { service })).length > 0,
        `${service} did not log ${requestId}`,
      );
    await loggedLines(dataDir(), ['"msg":"request"'], { service: 'identity' });
    const requests = SERVICES.map((service) => {
      const lines = logLines(dataDir(), service).map(parseLogLine);
      assert.ok(lines.length > 0, `${service} wrote no line`);
      assert.deepEqual([...new Set(lines.map((line) => line.service))], [service]);
      return [service, lines.filter((line) => line.msg === 'request')] as const;
    });
    const withRequests = requests.filter(([, lines]) => lines.length > 0).map(([service]) => service);
    // The registry logs successful requests at the level `debug`.
    assert.deepEqual(withRequests, ['shell', 'marketplace-api', 'identity']);
  });

  for (const service of SERVICES)
    it(`${service} names each invalid configuration key in one line and does not start`, async () => {
      const { printed, status } = await startWith(PROGRAMS[service], {
        LOG_LEVEL: 'loud',
        LOCAL_MODE: 'perhaps',
      });
      assert.match(
        printed,
        new RegExp(`^${service}: configuration: [A-Z0-9_]+: [^;\\n]+(?:; [A-Z0-9_]+: [^;\\n]+)+\\n$`),
      );
      assert.ok(printed.includes('LOG_LEVEL: ') && printed.includes('LOCAL_MODE: '), printed);
      assert.equal(status, 1);
    });
});
