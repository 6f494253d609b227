/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createAssets } from './assets.ts';
import { PermanentError } from './call.ts';

const ENTRY = '/remotes/mfe-x/1.0.0/web/remoteEntry.js';
const STYLE = '/remotes/mfe-x/1.0.0/web/panel.css';
const integrity = { [ENTRY]: 'sha384-entry', [STYLE]: 'sha384-style' };
const scripts = () => [...document.head.querySelectorAll('script')];
const links = () => [...document.head.querySelectorAll('link')];

describe('assets of the snapshot', () => {
  beforeEach(() => document.head.replaceChildren());
  afterEach(() => {
    delete (window as { trustedTypes?: unknown }).trustedTypes;
  });

  it('loads a script with its integrity and without credentials', async () => {
    const loaded = createAssets(integrity).script(ENTRY);
    const [script] = scripts();
    expect(script).toMatchObject({ integrity: 'sha384-entry', crossOrigin: 'anonymous' });
    expect(script?.src).toBe(`http://localhost${ENTRY}`);
    script?.dispatchEvent(new Event('load'));
    await expect(loaded).resolves.toBeUndefined();
  });

  it('loads a file once for repeated requests', () => {
    const assets = createAssets(integrity);
    void assets.script(ENTRY);
    void assets.script(`http://localhost${ENTRY}`);
    expect(scripts()).toHaveLength(1);
  });

  it.each([
    '/remotes/mfe-x/1.0.0/web/other.js',
    `${ENTRY}?v=2`,
    `http://localhost.evil.example${ENTRY}`,
    `//evil.example${ENTRY}`,
    `/remotes/mfe-x/1.0.0/web/remoteEntry.js/../../../2.0.0/web/remoteEntry.js`,
    'data:text/javascript,0',
  ])('refuses %s, which is not in the snapshot', async (url) => {
    await expect(createAssets(integrity).script(url)).rejects.toBeInstanceOf(PermanentError);
    expect(scripts()).toHaveLength(0);
  });

  it('removes a failed element, so that the next attempt loads again', async () => {
    const assets = createAssets(integrity);
    const first = assets.script(ENTRY);
    scripts()[0]?.dispatchEvent(new Event('error'));
    await expect(first).rejects.toThrow('cannot load');
    expect(scripts()).toHaveLength(0);
    void assets.script(ENTRY);
    expect(scripts()).toHaveLength(1);
  });

  it('creates script URLs only through a policy limited to the snapshot', () => {
    const createPolicy = jest.fn(
      (_name: string, rules: { createScriptURL: (url: string) => string }) => rules,
    );
    Object.assign(window, { trustedTypes: { createPolicy } });
    createAssets(integrity);
    const [name, rules] = createPolicy.mock.calls[0] ?? [];
    expect(name).toBe('forecourt');
    expect(rules?.createScriptURL(`http://localhost${ENTRY}`)).toBe(`http://localhost${ENTRY}`);
    expect(() => rules?.createScriptURL('http://localhost/other.js')).toThrow(TypeError);
  });

  it('links a style with its integrity, unless the page has linked it', async () => {
    const assets = createAssets(integrity);
    void assets.style(STYLE);
    expect(links()).toHaveLength(1);
    expect(links()[0]).toMatchObject({ integrity: 'sha384-style', crossOrigin: 'anonymous' });
    await expect(createAssets(integrity).style(STYLE)).resolves.toBeUndefined();
    expect(links()).toHaveLength(1);
  });
});
