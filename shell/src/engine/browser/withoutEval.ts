// zod probes for `eval` when a schema is created, which the page's Content Security
// Policy reports as a violation. Every copy of zod reads this configuration on load.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
