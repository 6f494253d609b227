import { describe, expect, it } from '@jest/globals';
import { cpuSeconds, residentMiB } from './processUsage.ts';

describe('what a process uses', () => {
  it('agrees with what the process knows of itself', () => {
    expect(residentMiB(process.pid)).toBeGreaterThan(20);
    const { user, system } = process.cpuUsage();
    expect(Math.abs(cpuSeconds(process.pid) - (user + system) / 1e6)).toBeLessThan(0.5);
  });

  it('fails for a process that is gone', () => {
    expect(() => residentMiB(2 ** 30)).toThrow('ENOENT');
  });
});
