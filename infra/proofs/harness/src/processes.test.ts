import { describe, expect, it } from '@jest/globals';
import { cpuSeconds, memoryMiB } from './processes.ts';

describe('process usage', () => {
  it('returns the figures of process.cpuUsage()', () => {
    expect(memoryMiB(process.pid)).toBeGreaterThan(20);
    const { user, system } = process.cpuUsage();
    expect(Math.abs(cpuSeconds(process.pid) - (user + system) / 1e6)).toBeLessThan(0.5);
  });

  it('throws for a process that no longer exists', () => {
    expect(() => memoryMiB(2 ** 30)).toThrow('ENOENT');
  });
});
