/** The script of the page in which a release is tried: source, because it runs in a browser. */
export const trialPageScript = (): string => `(async () => {
  const errors = [];
  const note = (text) => errors.push(String(text).slice(0, 300));
  addEventListener('securitypolicyviolation', (event) => note(event.violatedDirective + ' refuses ' + (event.blockedURI || event.sample)));
  addEventListener('error', (event) => note(event.message || 'cannot load ' + (event.target.src || event.target.href)), true);
  addEventListener('unhandledrejection', (event) => note(event.reason && event.reason.message || event.reason));
  const consoleError = console.error;
  console.error = (...given) => { note(given.join(' ')); consoleError(...given); };
  globalThis.__zod_globalConfig = { jitless: true };

  const { container, exposes, shared, scripts } = JSON.parse(document.getElementById('task').textContent);
  const policy = self.trustedTypes && trustedTypes.createPolicy('forecourt', { createScriptURL: (url) => url });
  const load = ([url, integrity]) => new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { integrity, crossOrigin: 'anonymous', onload: resolve });
    script.onerror = () => reject(new Error('cannot load ' + url));
    script.src = policy ? policy.createScriptURL(url) : url;
    document.head.append(script);
  });

  // Stands in for everything: it can be called, constructed, read and iterated.
  const anything = new Proxy(function () {}, {
    get(target, name) {
      if (name === Symbol.iterator) return function* () { yield anything; yield anything; };
      if (name === Symbol.toPrimitive) return () => '';
      return name === 'then' || name === 'prototype' ? target[name] : anything;
    },
    apply: () => anything,
    construct: () => anything,
  });
  const taken = new Set();
  const moduleOf = (name) => new Proxy({}, {
    get: (_, key) => {
      if (key === '__esModule') return true;
      if (key === 'then') return undefined;
      return key === 'defineSlot' ? (slot) => ({ kind: 'forecourt.slot', ...slot }) : anything;
    },
    has: () => true,
  });
  const scope = Object.fromEntries(shared.map(({ name, version }) => {
    const module = moduleOf(name);
    const factory = () => { taken.add(name); return module; };
    return [name, { [version]: {
      version, lib: factory, get: () => Promise.resolve(factory), loaded: 1, eager: true, from: 'shell',
      scope: ['default'], shareConfig: { singleton: true, eager: true, strictVersion: true, requiredVersion: false },
      strategy: 'loaded-first', useIn: [], deps: [],
    } }];
  }));

  let fault = 'ENTRY';
  let message;
  try {
    await Promise.all(scripts.map(load));
    const found = globalThis[container];
    if (!found || !found.init || !found.get)
      throw new Error('its entry does not set the global variable ' + container + (errors[0] ? ': ' + errors[0] : ''));
    fault = 'MODULE';
    const options = Object.defineProperty({ version: '', shareScopeKeys: 'default' }, 'shareScopeMap', { value: { default: scope } });
    await found.init(scope, [], options);
    for (const expose of exposes) {
      const { default: slot } = (await found.get(expose))();
      if (!slot || slot.kind !== 'forecourt.slot') throw new Error(expose + ' is no slot module');
    }
    // What modules start when they load.
    await new Promise((resolve) => setTimeout(resolve, 100));
  } catch (error) {
    if (fault === 'MODULE' && taken.size === 0) fault = 'SHARE_SCOPE';
    message = String(error && error.message || error);
  }
  await fetch('/result', { method: 'POST', body: JSON.stringify({ ...(message !== undefined && { fault, message }), errors }) });
  location.replace('/');
})();`;
