import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { run } from '../run.ts';

/** The fault switches of the API, as its README describes them. */
function createSwitches() {
  let faults: object[] = [];
  const server = createServer((request, response) => {
    const respond = (status: number, body?: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    if (request.url !== '/__faults') return void respond(404, {});
    if (request.method === 'GET') return void respond(200, { faults });
    if (request.method === 'DELETE') {
      faults = [];
      return void respond(204);
    }
    void text(request).then((body) => {
      faults = [
        { delayMs: 0, dripMs: 100, ...(JSON.parse(body) as object), id: faults.length + 1 },
        ...faults,
      ];
      respond(201, faults[0]);
    });
  });
  return { server, set: (...all: object[]) => (faults = all) };
}

describe('scenario', () => {
  let switches: ReturnType<typeof createSwitches>;
  let url: string;
  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  beforeEach(async () => {
    switches = createSwitches();
    url = await listen(switches.server);
  });
  afterEach(() => new Promise((resolve) => switches.server.close(resolve)));

  const forecourt = async (words: string, api = url) => {
    let output = '';
    const print = (printed: string) => void (output += printed);
    const status = await run(
      `scenario ${words}`.trim().split(' '),
      { MARKETPLACE_API_URL: api },
      { out: print, err: print },
    );
    return { status, output: output.trim() };
  };

  it('breaks calls by name, says what is broken, and mends everything', async () => {
    expect(await forecourt('set outage consumerRatings-slow')).toEqual({
      status: 0,
      output: 'broken for every page of this stack: consumerRatings-slow, outage',
    });
    expect((await forecourt('')).output).toMatch(/\nbroken for .*: consumerRatings-slow, outage$/);
    expect((await forecourt('clear')).output).toBe('nothing is broken');
    expect(JSON.parse((await forecourt('list --json')).output)).toEqual({ api: url, active: [] });
  });

  it('lists every scenario with what it does', async () => {
    const { output } = await forecourt('list');
    expect(output).toMatch(/^outage +every call responds 503$/m);
    expect(output).toMatch(/^CALL-drips +the call sends its body byte by byte, without end$/m);
    expect(output).toMatch(/^CALL is one of .*\bconsumerRatings\b/m);
  });

  it('shows the fields of switches that another program set', async () => {
    switches.set({ id: 4, path: '/rest', delayMs: 20, status: 500, times: 2 });
    expect((await forecourt('list')).output).toContain(
      '{"path":"/rest","delayMs":20,"status":500,"times":2}',
    );
  });

  it.each([
    'set outage noSuchCall-slow',
    'set consumerRatings',
    'set constructor',
    'set consumerRatings-constructor',
    'set',
    'clear outage',
    'mend',
  ])('refuses %s and sets nothing', async (words) => {
    expect((await forecourt(words)).status).toBe(2);
    expect((await forecourt('list')).output).toMatch(/nothing is broken$/);
  });

  it('says that only a local stack has the switches', async () => {
    const hosted = createServer((_, response) => response.writeHead(404).end('{}'));
    const address = await listen(hosted);
    expect(await forecourt('set outage', address)).toEqual({
      status: 1,
      output: `NOT_LOCAL: ${address} has no fault switches: only local mode has them`,
    });
    await new Promise((resolve) => hosted.close(resolve));
    expect((await forecourt('list', address)).output).toMatch(/^UNREACHABLE: .*run npm start/);
  });
});
