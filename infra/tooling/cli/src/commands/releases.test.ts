import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canonicalJson, sha256 } from '@forecourt/release-kit/canonicalJson';
import {
  EMPTY_LOG,
  type LogEvent,
  type LogHead,
  nextEntry,
  readEntry,
} from '@forecourt/release-kit/logEntries';
import { sampleRelease } from '@forecourt/release-kit/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../testing/runCommand.ts';

describe('log', () => {
  /** What the registry serves. */
  let entries: string[];
  let manifest: object;
  let files: ReadonlyMap<string, Buffer>;
  let server: Server;
  let environment: { REGISTRY_URL: string };

  /** Appends the entries of these events to the log of the registry. */
  function record(...events: readonly LogEvent[]): void {
    let head: LogHead = EMPTY_LOG;
    for (const text of entries) ({ head } = readEntry(head, text));
    for (const event of events) {
      const text = nextEntry(head, event, new Date('2026-01-02T03:04:05.000Z'));
      entries.push(text);
      ({ head } = readEntry(head, text));
    }
  }

  beforeEach(async () => {
    ({ manifest, files } = sampleRelease());
    entries = [];
    server = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://registry');
      const after = Number(searchParams.get('after'));
      const body =
        pathname === '/api/log'
          ? { entries: entries.slice(after, after + Number(searchParams.get('limit'))) }
          : pathname === '/api/pointers'
            ? { revision: 1, remotes: { sample: { live: '1.0.0' } } }
            : manifest;
      const file = files.get(pathname.replace('/remotes/sample/1.0.0/', ''));
      response.end(file ?? JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    environment = { REGISTRY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    record(
      {
        action: 'publish',
        by: 'local',
        subject: 'sample@1.0.0',
        details: { manifest: sha256(canonicalJson(manifest)) },
      },
      { action: 'promote', by: 'local', subject: 'sample', details: { revision: 1, live: '1.0.0' } },
    );
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const cli = (...words: string[]) => runCommand(words, environment);

  it('verifies every entry, and lists the newest', async () => {
    record({ action: 'revoke-credential', by: 'local', subject: 'ci', details: {} });
    expect(await cli('log', '--verify')).toEqual({
      status: 0,
      output: expect.stringMatching(
        /^4 files are as they were published: sample@1\.0\.0 \(live\)\nthe log is intact; its head is 3:[0-9a-f]{64}$/,
      ),
    });
    expect((await cli('log', '--limit', '2')).output).toMatch(/^2 {2}.*\n3 {2}.* revoke-credential ci/);
  });

  it('detects a changed entry, a truncated log and a release that was replaced', async () => {
    const { output } = await cli('log', '--verify');
    const head = output.split(' ').at(-1)!;
    expect((await cli('log', '--verify', '--expect', head)).status).toBe(0);
    expect((await cli('log', '--expect', head)).status).toBe(2);

    const [first = '', second = ''] = entries;
    entries = [first.replace('"local"', '"other"'), second];
    expect(await cli('log', '--verify')).toEqual({
      status: 1,
      output: 'the log is broken: entry 2 does not follow from the entries before it',
    });

    entries = [first];
    expect((await cli('log', '--verify')).status).toBe(0);
    expect((await cli('log', '--verify', '--expect', head)).output).toMatch(/was rewritten or cut$/);

    entries = [first, second];
    ({ manifest } = sampleRelease({ files: { 'web/icon.svg': '<svg/>' } }));
    expect(await cli('log', '--verify')).toEqual({
      status: 1,
      output: 'sample@1.0.0 is not the release that was published',
    });
  });
});
