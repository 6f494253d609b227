import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { claimPorts, freePort, readConfig } from './config.ts';

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
    // Of other programs' connections, none has a port in this range.
    const port = await freePort();
    const another = await freePort([port]);
    const other = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const failure: unknown = await claimPorts({ shell: port, 'remote-registry': another }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringMatching(new RegExp(`Port ${port}.*\\bPORT=\\d+ npm start`)),
    });
    const suggested = Number(/\bPORT=(\d+)/.exec(String(failure))?.[1]);
    expect([port, another]).not.toContain(suggested);
    await expect(claimPorts({ shell: suggested })).resolves.toMatchObject({ shell: suggested });
    other.close();
  });
});
