import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimPorts } from './config.ts';
import { removeDataDir } from './stack.ts';
import { type ServiceStart, startService } from './service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-local-'));
});
afterEach(() => removeDataDir(folder));

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
