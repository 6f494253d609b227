/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { holdScriptPolicies } from './scriptPolicies.ts';

const REMOTES = ['mfe-x', 'mfe-y'].map((name) => ({
  name,
  entry: `/remotes/${name}/1.0.0/web/remoteEntry.js`,
}));
const OWN = 'http://localhost/remotes/mfe-x/1.0.0/web/dialog.js';

interface Rules {
  readonly createScriptURL?: (url: string) => string;
}
const asIs: Rules = { createScriptURL: (url) => url };

/** As in a browser: each name once. */
class Factory {
  readonly names: string[] = [];
  createPolicy(name: string, rules: Rules): Rules {
    if (this.names.includes(name)) throw new TypeError(`${name} exists`);
    this.names.push(name);
    return rules;
  }
}

describe('the policies of remotes', () => {
  let factory: Factory;
  const urlBy = (name: string, url: string, rules = asIs) =>
    factory.createPolicy(name, rules).createScriptURL?.(url);

  beforeEach(() => {
    factory = new Factory();
    Object.assign(window, { trustedTypes: factory });
    holdScriptPolicies(REMOTES);
  });
  afterEach(() => {
    delete (window as { trustedTypes?: unknown }).trustedTypes;
  });

  it('exist before the code of remotes, and each gets its own, even after another asked for it', () => {
    expect(factory.names).toEqual([
      'shell#webpack',
      'mfe-x#webpack',
      'mfe-x#scripts',
      'mfe-y#webpack',
      'mfe-y#scripts',
    ]);
    expect(urlBy('mfe-x#webpack', OWN)).toBe(OWN);
    expect(urlBy('mfe-x#webpack', OWN)).toBe(OWN);
    expect(urlBy('mfe-y#scripts', '/static/x.js')).toBe('/static/x.js');
    expect(urlBy('shell#webpack', '/assets/abc/late.js')).toBe('/assets/abc/late.js');
  });

  it.each([
    ['mfe-y#webpack', OWN],
    ['mfe-x#webpack', '/remotes/mfe-x/1.0.1/web/dialog.js'],
    ['mfe-x#webpack', '/remotes/mfe-x/1.0.0/web/../../1.0.1/web/dialog.js'],
    ['mfe-x#webpack', 'https://evil.example/remotes/mfe-x/1.0.0/web/dialog.js'],
    ['mfe-x#webpack', 'data:text/javascript,0'],
    ['mfe-x#scripts', '/remotes/mfe-y/1.0.0/web/dialog.js'],
    ['mfe-x#scripts', '//evil.example/x.js'],
    ['shell#webpack', OWN],
  ])('%s loads no %s', (name, url) => {
    expect(() => urlBy(name, url)).toThrow(TypeError);
  });

  it('apply rules of the remote, too', () => {
    const none: Rules = {
      createScriptURL: () => {
        throw new TypeError('not listed');
      },
    };
    expect(() => urlBy('mfe-x#scripts', '/static/x.js', none)).toThrow('not listed');
    expect(() => urlBy('mfe-x#scripts', '/static/x.js', {})).toThrow(TypeError);
  });

  it('leave other names to the browser, and are not replaced', () => {
    expect(factory.createPolicy('other', asIs)).toBe(asIs);
    expect(() => factory.createPolicy('other', asIs)).toThrow(TypeError);
    expect(() => Object.assign(factory, { createPolicy: () => asIs })).toThrow(TypeError);
  });

  it('are not needed where the browser has none', () => {
    delete (window as { trustedTypes?: unknown }).trustedTypes;
    expect(() => holdScriptPolicies(REMOTES)).not.toThrow();
  });
});
