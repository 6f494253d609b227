import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress } from './egress.ts';
import { SPECIAL_IPV4, SPECIAL_IPV6, type SpecialNetwork } from './specialPurposeAddresses.data.ts';
import { startTestInternet } from './testing/testInternet.ts';

const bitsOf = (address: string): number => (address.includes(':') ? 128 : 32);

function toNumber(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const left = groups(head);
  const right = groups(tail);
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function toAddress(value: bigint, bits: number): string {
  const [count, size] = bits === 32 ? [4, 8n] : [8, 16n];
  const parts = Array.from({ length: count }, (_, at) =>
    ((value >> (size * BigInt(count - 1 - at))) & ((1n << size) - 1n)).toString(bits === 32 ? 10 : 16),
  );
  return parts.join(bits === 32 ? '.' : ':');
}

function rangeOf({ network, prefix }: SpecialNetwork): readonly [first: bigint, last: bigint] {
  const size = 1n << BigInt(bitsOf(network) - prefix);
  const first = toNumber(network);
  expect(first % size).toBe(0n);
  return [first, first + size - 1n];
}

/** The most specific row decides, which the product does in another way. */
function isGlobal(value: bigint, rows: readonly SpecialNetwork[]): boolean {
  const around = rows.filter((row) => {
    const [first, last] = rangeOf(row);
    return first <= value && value <= last;
  });
  return around.sort((one, other) => other.prefix - one.prefix)[0]?.isGlobal ?? true;
}

describe('the addresses at the edges of a special-purpose network', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** Whether a service, as it runs in production, connects to a name that leads to the address. */
  async function isReached(address: string): Promise<boolean> {
    const internet = startTestInternet({ 'name.example': [address] }, (server.address() as AddressInfo).port);
    const rule = {
      purpose: 'test',
      allows: () => true,
      isConfigured: false,
      timeoutMs: 2_000,
      maxBytes: 4_000,
    };
    try {
      await createEgress(rule)('http://name.example/');
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'REFUSED' });
      return false;
    } finally {
      internet.stop();
    }
  }

  it.each([
    ...SPECIAL_IPV4.map((row) => [row, SPECIAL_IPV4] as const),
    ...SPECIAL_IPV6.map((row) => [row, SPECIAL_IPV6] as const),
  ])('are reached, or refused, as the registry says: $network/$prefix', async (row, rows) => {
    const bits = bitsOf(row.network);
    const [first, last] = rangeOf(row);
    const edges = [first, last, first - 1n, last + 1n].filter(
      (value) => value >= 0n && value < 1n << BigInt(bits),
    );
    for (const value of edges) {
      const address = toAddress(value, bits);
      const expected = isGlobal(value, rows);
      expect([address, await isReached(address)]).toEqual([address, expected]);
      if (bits === 32)
        // Embedded in IPv6, as the mapped form and through NAT64.
        for (const prefix of ['::ffff:', '64:ff9b::'])
          expect([prefix + address, await isReached(prefix + address)]).toEqual([prefix + address, expected]);
    }
    expect(isGlobal(first, rows)).toBe(row.isGlobal);
  });
});
