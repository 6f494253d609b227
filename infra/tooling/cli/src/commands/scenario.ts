import { isDeepStrictEqual } from 'node:util';
import { CALLS } from '@forecourt/upstream/calls';
import { z } from 'zod';
import { RegistryCallError } from '@forecourt/release-kit/registryClient';
import { type CommandLine, UsageError } from '../commandLine.ts';
import type { Command, CommandResult } from './command.ts';

/** Ways in which a call of the upstream fails; the README of the marketplace API describes the switches. */
const WAYS = {
  slow: { delayMs: 3_000 },
  fails: { status: 503 },
  drips: { mode: 'drip' },
  drops: { mode: 'drop' },
  invalid: { mode: 'invalidBody' },
} as const;
type Way = keyof typeof WAYS;

const WAY_TEXTS: Readonly<Record<Way, string>> = {
  slow: 'responds after 3 s',
  fails: 'responds 503',
  drips: 'sends its body byte by byte, without end',
  drops: 'closes the connection',
  invalid: 'responds with truncated JSON',
};

const EVERYTHING = { path: '/' };

/** Scenarios of several calls; those of one call are named 'CALL-WAY', e.g. 'consumerRatings-slow'. */
const OUTAGES: Readonly<Record<string, { readonly text: string; readonly fault: object }>> = {
  outage: { text: 'every call responds 503', fault: { ...EVERYTHING, ...WAYS.fails } },
  'slow-upstream': { text: 'every call responds after 3 s', fault: { ...EVERYTHING, ...WAYS.slow } },
  'dead-upstream': { text: 'every call closes the connection', fault: { ...EVERYTHING, ...WAYS.drops } },
};

/** The switches of a scenario. @throws UsageError */
function faultOf(name: string): object {
  if (Object.hasOwn(OUTAGES, name)) return OUTAGES[name]?.fault ?? {};
  const [call = '', way = '', ...rest] = name.split('-');
  if (!Object.hasOwn(CALLS, call) || !Object.hasOwn(WAYS, way) || rest.length > 0)
    throw new UsageError(`no scenario '${name}': see forecourt scenario list`);
  return { call, ...WAYS[way as Way] };
}

const faultsSchema = z.object({
  faults: z
    .array(
      z.object({
        id: z.number(),
        call: z.string().optional(),
        path: z.string().optional(),
        delayMs: z.number().default(0),
        status: z.number().optional(),
        mode: z.string().optional(),
        times: z.number().optional(),
      }),
    )
    .max(1_000),
});
type Fault = z.infer<typeof faultsSchema>['faults'][number];

const TIMEOUT_MS = 10_000;

/** Changes or reads the fault switches of the API. @throws RegistryCallError */
async function send({ apiUrl }: CommandLine, method: 'GET' | 'POST' | 'DELETE', body?: object) {
  const url = new URL('/__faults', apiUrl);
  const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, { method, ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: unknown) => {
      throw new RegistryCallError('UNREACHABLE', `${apiUrl} does not respond: run npm start, or set --api`, {
        cause: error,
      });
    },
  );
  if (response.status === 404)
    throw new RegistryCallError('NOT_LOCAL', `${apiUrl} has no fault switches: only local mode has them`);
  if (!response.ok)
    throw new RegistryCallError(
      'REFUSED',
      `${apiUrl} responds ${response.status} to ${method} ${url.pathname}`,
    );
  return response;
}

async function active(line: CommandLine): Promise<Fault[]> {
  const response = await send(line, 'GET');
  return faultsSchema.parse(await response.json()).faults;
}

/** The scenario that sets the switch, or its fields if another program set it. */
function nameOf({ id: _, ...fault }: Fault): string {
  const isSetBy = (name: string) => isDeepStrictEqual(fault, { delayMs: 0, ...faultOf(name) });
  const { call } = fault;
  const names = call === undefined ? Object.keys(OUTAGES) : Object.keys(WAYS).map((way) => `${call}-${way}`);
  return names.find(isSetBy) ?? JSON.stringify(fault);
}

async function describe(line: CommandLine, more: readonly string[] = []): Promise<CommandResult> {
  const names = (await active(line)).map(nameOf);
  const text =
    names.length === 0 ? 'nothing is broken' : `broken for every page of this stack: ${names.join(', ')}`;
  return { text: [...more, text].join('\n'), data: { api: line.apiUrl, active: names } };
}

function listAll(): string[] {
  const names = [...Object.keys(OUTAGES), ...Object.keys(WAYS).map((way) => `CALL-${way}`)];
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const texts = [
    ...Object.values(OUTAGES).map(({ text }) => text),
    ...Object.values(WAY_TEXTS).map((text) => `the call ${text}`),
  ];
  return [
    ...names.map((name, at) => name.padEnd(width) + texts[at]),
    `CALL is one of ${Object.keys(CALLS).join(', ')}`,
  ];
}

/** `scenario list`, `scenario set NAME …`, `scenario clear`. */
export const scenario: Command = async (line) => {
  const [verb = 'list', ...names] = line.args;
  if (verb === 'list' && names.length === 0) return describe(line, listAll());
  if (verb === 'set' && names.length > 0) {
    // All names are checked before the first one is set.
    for (const fault of names.map(faultOf)) await send(line, 'POST', fault);
    return describe(line);
  }
  if (verb === 'clear' && names.length === 0) {
    await send(line, 'DELETE');
    return describe(line);
  }
  throw new UsageError('scenario needs list, set NAME …, or clear');
};
