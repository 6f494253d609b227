/** A page whose commands are entered as its reader would. */
export interface DocumentedPage {
  readonly path: string;
  /** What readers put in for the page's placeholders; also where the proof needs another name than the page before. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** What they have done before they open the page: a script. */
  readonly before?: string;
  /** Also enters commands in the text and in tables. */
  readonly inText?: boolean;
  /** Writes the JSON blocks of the page into these files, in their order. */
  readonly files?: readonly string[];
}

/** Values of the pages for what the proof starts, by the key under which it passes them. */
export const PLACES = {
  PORT: ['localhost:3000', 'https://www.example', 'https://shop.example'],
  MARKETPLACE_API_PORT: ['localhost:4000'],
  REGISTRY_PORT: ['localhost:4100', 'https://registry.example'],
  IDENTITY_PORT: ['localhost:4200'],
  POSTGRES: ['shell', 'identity', 'api'].map(
    (user) => `postgres://${user}@db.example/forecourt?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem`,
  ),
} as const;

export const SHOPPER = 'ada.documentation@example.com';

/** Another service beside the stack of the first page. */
const ALONE = `export LOCAL_MODE=true DATA_DIR="$TERMINAL/data"
for key in PORT MARKETPLACE_API_PORT REGISTRY_PORT IDENTITY_PORT; do export $key=$((\${!key} + 1)); done`;
const STOCK = `printf '%s\\n' price,year,make,model,location,dealerName,isDealer,scrapeZip,mileage \\
  '12500,2016,Nissan,Altima SR FWD,"Pasadena, CA (19 mi.)",Pasadena Cars,1,91101,64000' > stock.csv`;
const SUGGEST = 'npm run --silent inventory:import -- --suggest stock.csv';
const MIGRATE =
  'LOCAL_MODE=true DATA_DIR="$TERMINAL/keys" DATABASE_URL="$POSTGRES" npm run migrate -w @forecourt/identity';

/** What the command before has printed at its end. */
const LAST_WORD = '"$(grep -o "[^ ]*$" "$TERMINAL/output" | tail -n 1)"';

/** In the order in which they are read. The first one starts the stack that the others use. */
export const PAGES: readonly DocumentedPage[] = [
  { path: 'README.md' },
  { path: 'infra/docs/control-room.md' },
  {
    path: 'infra/docs/deploying-a-remote.md',
    placeholders: {
      'REGISTRY_TOKEN=…': 'REGISTRY_TOKEN=',
      PUBLIC_KEY: LAST_WORD,
      HEAD: LAST_WORD,
    },
  },
  {
    path: 'infra/docs/overrides.md',
    before: `npx forecourt keys remove mfe-results "$(npx forecourt keys list mfe-results | awk '{print $2}')"
npm run build -w mfe-filters -- --version 2.1.0 && npx forecourt publish mfe-filters/dist`,
    placeholders: { 'OVERRIDE_KEY=…': 'OVERRIDE_KEY="$OVERRIDE_KEY"', ' --headed': '' },
  },
  {
    path: 'infra/tooling/cli/README.md',
    before: 'cd mfe-results; npm run build -- --version 1.4.1',
    placeholders: { '1.4.0': '1.4.1' },
  },
  {
    path: 'infra/docs/remote-in-its-own-repository.md',
    placeholders: {
      "'https://shop.example/overrides?token=…'": '"$(grep -o "http[^ ]*token=[^ ]*" "$TERMINAL/output")"',
    },
  },
  {
    path: 'infra/tooling/create-remote/README.md',
    before: 'rm -rf mfe-dealer-map node_modules/@forecourt/mfe-dealer-map',
    placeholders: { 'dealer-map -- --slot': 'dealer-street -- --slot' },
  },
  { path: 'infra/tooling/lint/README.md' },
  {
    path: 'infra/docs/operations.md',
    inText: true,
    before: 'export LOCAL_MODE=true',
    placeholders: {
      'NEW_FOLDER DATA_DIR people.sqlite': '"$TERMINAL/backup" "$TERMINAL/people" people.sqlite',
      'restore NEW_FOLDER DATA_DIR': 'restore "$TERMINAL/backup" "$TERMINAL/restored"',
      'DATA_DIR NEW_FOLDER': '"$DATA_DIR" "$TERMINAL/backup"',
      NAME: 'mfe-showcase',
    },
  },
  {
    path: 'infra/docs/feeds.md',
    inText: true,
    before: `${STOCK}; export FEEDS_FILE="$PWD/feeds.json" LOCAL_MODE=true
${SUGGEST} | sed 's/"source": "[^"]*"/"source": "lakeside-ford"/' > lakeside.map.json`,
    files: ['feeds.json'],
    placeholders: {
      'https://feeds.lakeside.example/stock.csv': 'stock.csv',
      '"authorization": "LAKESIDE_AUTHORIZATION",': '',
    },
  },
  {
    path: 'infra/services/marketplace-api/src/inventory/import/README.md',
    before: `${STOCK}; export LOCAL_MODE=true`,
    placeholders: {
      '[--dry-run | --preview] [--expire-missing] [--rejects bad.csv]': '--expire-missing --rejects bad.csv',
      '[SOURCE]': 'stock',
      // Nothing would be left to remove.
      '--undo SOURCE': '--undo stock && npm run inventory:import -- --full stock.csv --map stock.map.json',
      SOURCE: 'stock',
    },
  },
  {
    path: 'infra/services/marketplace-api/README.md',
    before: `${ALONE}\n${STOCK}\n${SUGGEST} > stock.map.json`,
    placeholders: { FEED: '"$PWD/stock.csv"', 'MAP.json': '"$PWD/stock.map.json"' },
  },
  {
    path: 'infra/services/remote-registry/README.md',
    before: `${ALONE}\nnpm run build -w mfe-showcase -- --version 1.2.0`,
    placeholders: {
      'REGISTRY_TOKEN=…':
        'LOCAL_MODE=false REGISTRY_PORT=0 DATA_DIR="$TERMINAL/other" REGISTRY_TOKEN=0123456789abcdef',
      'czf -': 'czf - -C mfe-showcase/dist',
      sample: 'mfe-showcase',
      '1.0.0': '1.2.0',
    },
  },
  {
    path: 'infra/services/identity/README.md',
    inText: true,
    before: 'export LOCAL_MODE=true',
    placeholders: {
      EMAIL: SHOPPER,
      'npm run serve': 'IDENTITY_PORT=0 DATA_DIR="$TERMINAL/data" npm run serve',
      'npm run migrate -w @forecourt/identity': MIGRATE,
    },
  },
  {
    path: 'shell/README.md',
    before: ALONE,
    placeholders: {
      'record -w @forecourt/shell': 'record -w @forecourt/shell -- --shell http://localhost:3000',
    },
  },
  {
    path: 'infra/docs/runbook.md',
    inText: true,
    before: 'export LOCAL_MODE=true',
    placeholders: { NAME: 'mfe-showcase', '"…"': '"a test"', '--shell URL': '--shell http://localhost:3000' },
  },
  {
    path: 'infra/docs/scaling.md',
    before: ALONE,
    placeholders: {
      'npm run serve -w @forecourt/identity': 'IDENTITY_PORT=0 npm run serve -w @forecourt/identity',
      'npm run serve -w @forecourt/marketplace-api':
        'MARKETPLACE_API_PORT=0 npm run serve -w @forecourt/marketplace-api',
    },
  },
  {
    path: 'infra/deploy/README.md',
    placeholders: {
      '1.0.0': '1.0.1',
      ' REGISTRY_TOKEN=…': '',
      'create shell': 'create deployed-shell',
      'npm run migrate -w @forecourt/identity': MIGRATE,
    },
  },
  { path: 'infra/docs/compose-another-site.md', before: ALONE },
  { path: 'infra/proofs/requirements/README.md' },
  { path: 'infra/proofs/system/README.md' },
  { path: 'infra/proofs/harness/fixtures/README.md' },
  { path: 'infra/demo-data/README.md' },
  { path: 'CONTRIBUTING.md', inText: true },
];
