import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { DatabaseUnavailableError } from '@forecourt/service-kit/sql';
import { afterEach, describe, expect, it } from '@jest/globals';
import { changeDatabase, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

let registry: TestRegistry | undefined;
afterEach(async () => {
  await registry?.stop();
  registry = undefined;
});

describe('the service', () => {
  it('is live and ready, but not ready during shutdown or with damaged storage', async () => {
    let isAccepting = true;
    registry = await startTestRegistry({ isAccepting: () => isAccepting });
    const { url } = registry;
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    isAccepting = false;
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    isAccepting = true;
    changeDatabase(registry, `INSERT INTO record (name, revision, body) VALUES ('pointers', 1, 'damaged')`);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    const pointers = await fetch(`${url}/api/pointers`);
    expect(pointers.status).toBe(500);
    expect(await pointers.json()).toMatchObject({ error: { code: 'STORAGE_DAMAGED' } });
  });

  it('returns 503 while its database is unavailable and does not name its address', async () => {
    const away = new DatabaseUnavailableError('the database is unavailable', {
      cause: new Error('connect ECONNREFUSED 10.0.0.7:5432'),
    });
    const fail = () => Promise.reject(away);
    registry = await startTestRegistry(
      {},
      {
        pointers: { readPointers: fail, writePointers: fail, readChanges: fail },
        releases: {
          listReleases: fail,
          findRelease: fail,
          addRelease: fail,
          removeRelease: fail,
          openFile: fail,
        },
      },
    );
    const { url } = registry;
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    for (const path of ['api/releases', 'remotes/sample/1.0.0/web/panel.css']) {
      const response = await fetch(`${url}/${path}`);
      expect([path, response.status]).toEqual([path, 503]);
      const body = await response.text();
      expect(body).toContain('STORAGE_UNAVAILABLE');
      expect(body).not.toContain('10.0.0.7');
    }
  });

  it.each(['/api/pointers', '/remotes/sample/1.0.0/web/panel.css', '/health/live', '/room'])(
    'does not echo headers to TRACE %s',
    async (path) => {
      registry = await startTestRegistry();
      const options = { method: 'TRACE', headers: { Authorization: 'Bearer secret' } };
      const { url } = registry;
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(url + path, options, resolve)
          .on('error', reject)
          .end();
      });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(await text(response)).not.toContain('Bearer secret');
    },
  );

  it('reuses a valid request id and replaces an invalid one', async () => {
    registry = await startTestRegistry();
    const fetchWithId = (id: string) =>
      fetch(`${registry?.url}/nothing`, { headers: { 'x-request-id': id } });
    expect((await fetchWithId('abc-123')).headers.get('x-request-id')).toBe('abc-123');
    const response = await fetchWithId('"><script>');
    const body = (await response.json()) as { error: { requestId: string } };
    expect(body.error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.status).toBe(404);
  });

  it('documents every metric with a help text', async () => {
    registry = await startTestRegistry();
    const response = await fetch(`${registry.url}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    for (const name of ['publishes_total', 'pointer_writes_total', 'served_bytes_total', 'pointer_waits']) {
      expect(text).toContain(`# HELP registry_${name} `);
    }
  });
});
