import { describe, expect, it } from '@jest/globals';
import { describeFailure, LocalError, toLocalError } from './repository.ts';

describe('toLocalError', () => {
  it.each([
    Object.assign(new Error('write failed'), { code: 'ENOSPC' }),
    new Error('DISK_FULL: no space left in DATA_DIR'),
    Object.assign(new Error('the disk is full'), { code: 'STORAGE_FULL' }),
  ])('reports a full disk for %s', (error) => {
    expect(toLocalError(error, 'DATABASE_FAILED', '/data')).toMatchObject({ code: 'DISK_FULL' });
  });
});

describe('describeFailure', () => {
  it('names the code before cause and remedy, and has the stack of a bug', () => {
    const error = new LocalError('PORT_TAKEN', 'Port 3000 is in use: choose another port.');
    expect(describeFailure(error)).toBe('PORT_TAKEN: Port 3000 is in use: choose another port.');
    expect(describeFailure(new Error('a bug'))).toMatch(/^Error: a bug\n {4}at /);
  });
});
