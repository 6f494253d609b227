import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimPorts, readConfig } from './config.ts';
import { lockDataDir } from './dataDir.ts';
import { toLocalError } from './repository.ts';
import { removeDataDir } from './stack.ts';
import { type ServiceStart, startService } from './service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-local-'));
});
afterEach(() => removeDataDir(folder));

describe('readConfig', () => {
  it('returns defaults and resolves a relative data folder from the repository', () => {
    const config = readConfig({ PORT: '' });
    expect(config).toMatchObject({
      PORT: 3000,
      MARKETPLACE_API_PORT: 4000,
      REGISTRY_PORT: 4100,
      IDENTITY_PORT: 4200,
    });
    expect(config.DATA_DIR).toMatch(/[/\\]\.data$/);
  });

  it('names the invalid variable', () => {
    expect(() => readConfig({ INVENTORY_SIZE: 'many' })).toThrow(/INVENTORY_SIZE/);
  });

  it('rejects one port for two services', () => {
    expect(() => readConfig({ PORT: '4000' })).toThrow(/must differ/);
  });
});

describe('claimPorts', () => {
  it('picks free ports below the range of outgoing connections when none is configured', async () => {
    const ports = Object.values(await claimPorts({}));
    expect(new Set(ports).size).toBe(4);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('reports the port that is in use and the variable that changes it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(claimPorts({ shell: port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringMatching(new RegExp(`Port ${port}.*\\bPORT=${port + 1}`)),
    });
    other.close();
  });
});

describe('lockDataDir', () => {
  it('rejects a folder that a running process has locked', () => {
    const unlock = lockDataDir(folder);
    expect(() => lockDataDir(folder)).toThrow(expect.objectContaining({ code: 'DATA_DIR_IN_USE' }));
    unlock();
    lockDataDir(folder)();
  });

  it('replaces the lock of a dead process', () => {
    writeFileSync(join(folder, 'stack.pid'), '99999999\n');
    lockDataDir(folder);
    expect(readFileSync(join(folder, 'stack.pid'), 'utf8')).toBe(`${process.pid}\n`);
  });
});

describe('toLocalError', () => {
  it.each([
    Object.assign(new Error('write failed'), { code: 'ENOSPC' }),
    new Error('DISK_FULL: no space left in DATA_DIR'),
    Object.assign(new Error('the disk is full'), { code: 'STORAGE_FULL' }),
  ])('reports a full disk for %s', (error) => {
    expect(toLocalError(error, 'DATABASE_FAILED', '/data')).toMatchObject({ code: 'DISK_FULL' });
  });
});

describe('a service', () => {
  const start = (source: string, port = 0): ServiceStart => {
    const script = join(folder, 'service.mjs');
    writeFileSync(script, source);
    return { name: 'shell', folder: '.', script, port, environment: {}, logDir: folder };
  };
  const respondingService = (port: number, more = '') =>
    `import { createServer } from 'node:http';
     createServer((_, response) => response.end('{}')).listen(${port}, '127.0.0.1');
     ${more}`;

  it('reports a service as ready when it responds, and stops it with SIGTERM', async () => {
    const { shell: port } = await claimPorts({});
    const service = startService(start(respondingService(port), port));
    await service.ready();
    await service.stop();
    await expect(service.ended).resolves.toMatchObject({ message: expect.stringContaining('SIGTERM') });
  });

  it('kills a service that ignores SIGTERM', async () => {
    const { shell: port } = await claimPorts({});
    const service = startService(start(respondingService(port, `process.on('SIGTERM', () => {});`), port));
    await service.ready();
    await service.stop();
    await expect(service.ended).resolves.toMatchObject({ message: expect.stringContaining('SIGKILL') });
  }, 15_000);

  it('reports the single line that a service printed before it failed to start', async () => {
    const service = startService(start(`console.error('shell: no good'); process.exit(3);`));
    await expect(service.ready()).rejects.toThrow('shell stopped (status 3): shell: no good');
  });

  it('reports the end of the log when a service exits', async () => {
    const service = startService(start(`for (const n of [1, 2]) console.log('{"line":' + n + '}');`));
    const { message } = await service.ended;
    expect(message).toContain('{"line":2}');
    expect(message).toContain('shell.log');
  });
});
