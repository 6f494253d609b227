import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BuildNews, createApp, definePage } from './app.ts';

let files: string;
let server: Server;
let url: string;
let news: BuildNews;

beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'workshop-'));
  news = new BuildNews();
  server = createServer(createApp({ remote: 'mfe-sample', files, news }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(files, { recursive: true });
});

describe('the workshop page of a remote', () => {
  it("serves a page with the remote's name and its build", async () => {
    await writeFile(join(files, 'page.js'), 'document.title');
    expect(await (await fetch(url)).text()).toContain('<title>mfe-sample: workshop</title>');
    expect(await (await fetch(`${url}/files/page.js`)).text()).toBe('document.title');
    expect((await fetch(`${url}/files/other.js`)).status).toBe(404);
  });

  it('serves pictures of vehicles and no other pictures', async () => {
    const picture = await fetch(`${url}/pictures/trucks/blue/front.svg`);
    expect(picture.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(await picture.text()).toMatch(/^<svg/);
    expect((await fetch(`${url}/pictures/trucks/blue/nothing.svg`)).status).toBe(404);
  });

  it('notifies an open page of the current build and each later one', async () => {
    news.publish('first');
    const reader = (await fetch(`${url}/builds`)).body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('data: first\n\n');
    news.publish('second');
    expect((await reader.read()).value).toContain('data: second\n\n');
    await reader.cancel();
  });

  it('has the design tokens, as the pages of the shell do, and the scenarios of the remote', async () => {
    await mkdir(join(files, 'src'));
    for (const [path, text] of [
      ['package.json', '{ "name": "mfe-sample" }'],
      ['src/scenarios.ts', ''],
    ] as const)
      await writeFile(join(files, path), text);
    const { entry, resolve } = definePage(files, files, files);
    expect(entry).toMatchObject({ page: ['@forecourt/slots/ui/tokens.css', expect.any(String)] });
    expect(resolve?.alias).toMatchObject({ 'remote/scenarios$': join(files, 'src/scenarios.ts') });
  });

  it('rejects a remote without scenarios', () => {
    expect(() => definePage(files, files, files)).toThrow('has no src/scenarios.ts');
  });
});
