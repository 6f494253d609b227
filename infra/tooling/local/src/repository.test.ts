import { describe, expect, it } from '@jest/globals';
import { toLocalError } from './repository.ts';

describe('toLocalError', () => {
  it.each([
    Object.assign(new Error('write failed'), { code: 'ENOSPC' }),
    new Error('DISK_FULL: no space left in DATA_DIR'),
    Object.assign(new Error('the disk is full'), { code: 'STORAGE_FULL' }),
  ])('reports a full disk for %s', (error) => {
    expect(toLocalError(error, 'DATABASE_FAILED', '/data')).toMatchObject({ code: 'DISK_FULL' });
  });
});
