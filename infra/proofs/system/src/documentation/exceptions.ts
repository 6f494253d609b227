/** A table of commands, each written as the page's path, a colon and the command. */
export type CommandTable<Value> = readonly (readonly [command: RegExp, value: Value])[];

/** Commands that the proof doesn't enter, and why. */
export const EXCEPTIONS: CommandTable<string> = [
  [/: docker |: kubectl (?!kustomize)/, 'needs a container engine or a cluster'],
  [/: promtool /, 'the unit tests of infra/deploy run it where Prometheus is installed'],
  [/_ID_TOKEN_REQUEST_|credentials exchange/, 'needs a run of GitHub Actions'],
  [
    /BUCKET=|AWS_ACCESS_KEY_ID|export SEARCH_URL/,
    'needs a bucket or OpenSearch: `npm run proofs -- photos shared-index`',
  ],
  [
    /: git clone|^(?!README).*: npm start(?!.* -w)/,
    'the proof works in a clone, over the stack of README.md',
  ],
  [/--recording page/, 'the devtools of a page write the file; `playback.test.tsx` plays one'],
  [
    /toolchains.md: npx forecourt/,
    'needs a build of another toolchain: `npm run e2e -- --spec foreignRemotes`',
  ],
  [/: npm run compat\b/, 'its sandbox does not read packages through links, which the clone has'],
  [/import\/README\.md: .*--feed/, 'feeds.md has it'],
  [/: npm run dev\b/, '`npm run proofs -- development`'],
  [/^(?:README|CONTRIBUTING)\.md: npm test\b/, 'runs in CI, as all tests of the repository do'],
  [
    /: npm run (?:lint|types|unit|bench|bench:search|screenshots|e2e -- --remote)\b(?!.*--scenarios)/,
    'a part of CI, or as long as one',
  ],
  [/: npm run proofs(?! -- --help)/, 'another proof'],
  [/: npm run mutate (?!.*--limit)/, 'takes up to hours'],
  [/simulate-images/, 'installs the packages of each image'],
  [/: npm run lerna|: git push/, 'publishes packages'],
];

/** Commands that run until Ctrl-C, and what they print when they are ready. */
export const SERVERS: CommandTable<RegExp> = [
  [/: npm (?:start|run start:cluster)\b/, /is running at|City Library: /],
  [/: npx forecourt dev\b/, /is shown/],
  [/ npm run serve\b/, /"listening"/],
];

/** Commands that end with another exit status than 0, as their page says. */
export const STATUSES: CommandTable<number> = [];
