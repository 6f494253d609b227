import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { providesOf } from '@forecourt/releases/gate';
import { addToStore } from '../releases/addToStore.ts';
import { startTestRegistry, type TestRegistry } from '../testing/testApp.ts';
import { readCompatibility, watchShells } from './roomBoard.ts';

describe('compatibility of what is live', () => {
  let registry: TestRegistry;
  const shells: Server[] = [];
  beforeEach(async () => {
    registry = await startTestRegistry();
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      const release = sampleRelease({ version });
      await addToStore(
        registry.storage.releases,
        { manifestBytes: manifestBytesOf(release), files: release.files },
        { publisher: { by: 'ci' } },
      );
    }
    await registry.board.promote('sample', '1.0.0');
    await registry.board.promote('sample', '1.1.0');
    await registry.board.startCanary('sample', { version: '1.2.0', weight: 5 });
  });
  afterEach(async () => {
    await Promise.all(shells.splice(0).map((shell) => new Promise((resolve) => shell.close(resolve))));
    await registry.stop();
  });

  /** A shell that provides the modules of the sample releases, and this contract. */
  async function startShell(slotsVersion: string): Promise<string> {
    const { shared } = sampleRelease().manifest;
    const versions = Object.entries(shared).map(([module, range]) => [module, range.replace(/^[^\d]*/, '')]);
    const body = JSON.stringify(
      providesOf({
        shared: Object.fromEntries(versions),
        contracts: { '@forecourt/slots': slotsVersion },
        state: ['page', 'search.listings'],
        placed: { sample: ['panel'] },
        pageSlots: [],
        budgets: { remotes: {}, preset: { bytes: 60_000, reason: 'for tests' } },
      }),
    );
    const shell = createServer((request, response) => {
      const isKnown = request.url === '/releases/provides';
      response
        .writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
        .end(isKnown ? body : '{}');
    });
    shells.push(shell);
    await new Promise<void>((resolve) => shell.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(shell.address() as AddressInfo).port}`;
  }

  it('checks live, canary and previous releases against each contract that shells have', async () => {
    const [older, newer, same] = [
      await startShell('1.0.0'),
      await startShell('2.0.0'),
      await startShell('1.0.0'),
    ];
    const away = 'http://127.0.0.1:9';
    const watch = watchShells({ shellUrls: [older, newer, same, away] });
    const found = await readCompatibility({ ...registry.storage, shells: watch });
    const byContract = new Map(found.hosts.map(({ contract, urls }) => [contract, [...urls].sort()]));
    expect(byContract).toEqual(
      new Map([
        ['slots 1.0.0', [older, same].sort()],
        ['slots 2.0.0', [newer]],
      ]),
    );
    expect(found.problems).toEqual([{ url: away, problem: expect.stringContaining('UNREACHABLE') }]);
    expect(found.releases.map(({ version, role }) => [version, role])).toEqual([
      ['1.1.0', 'live'],
      ['1.2.0', 'canary'],
      ['1.0.0', 'previous'],
    ]);
    const at = found.hosts.findIndex(({ contract }) => contract === 'slots 2.0.0');
    for (const { refusals } of found.releases) {
      expect(refusals[at]?.map(({ rule }) => rule)).toEqual(['CONTRACT_VERSION']);
      expect(refusals[1 - at]).toEqual([]);
    }
  });
});
