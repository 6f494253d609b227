// A remote may check forms with zod, which probes for `eval` when a schema is made.
// The page's Content Security Policy reports that as a violation, so zod is told
// before any copy of it is loaded: this is where all of them look.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
