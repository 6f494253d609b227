import { fixtureDist, readManifest } from '@forecourt/harness/releases';
import { publishRelease } from '@forecourt/release-kit/registryClient';
import { Shopper } from '@forecourt/harness/shopper';
import { equal, type Finding } from '../proof.ts';
import { CLIENT, ROOM, SECRET, type Site, SITE } from './services.ts';

const GROUP = 'release-managers';
const LEAD = 'lead@people.example';
const CLAIMED = 'mallory@people.example';
const RELEASE = fixtureDist('good');
const { name: REMOTE, version: VERSION } = readManifest(RELEASE);

/** What the registry lets people do: those of a group, and two addresses. */
const ROLES = [
  { claims: { groups: GROUP }, scopes: [{ remote: REMOTE, actions: ['promote'] }] },
  ...[LEAD, CLAIMED].map((email) => ({
    claims: { email },
    scopes: [{ remote: REMOTE, actions: ['canary'] }],
  })),
];

/** The control room as a client of the realm, whose id tokens name the groups of a person. */
export const ROOM_CLIENT = {
  clientId: 'forecourt-room',
  secret: CLIENT.secret,
  redirectUris: [`${ROOM}/room/api/callback`],
  protocolMappers: [
    {
      name: 'groups',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-group-membership-mapper',
      config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
    },
  ],
};
export const ROOM_GROUPS = [{ name: GROUP }];

/** People of the realm by what the registry makes of them. */
export const PEOPLE = {
  manager: { username: 'grace', email: 'grace@people.example', emailVerified: true, groups: [GROUP] },
  lead: { username: 'linus', email: LEAD, emailVerified: true },
  unverified: { username: 'mallory', email: CLAIMED, emailVerified: false },
} as const;

const ask = (shopper: Shopper, path: string, { origin, json }: { origin?: string; json?: object } = {}) =>
  fetch(ROOM + path, {
    headers: {
      cookie: shopper.cookiesOf(ROOM),
      ...(origin === undefined ? { 'sec-fetch-site': 'same-origin' } : { origin }),
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { method: 'POST', body: JSON.stringify(json) }),
  });

/** Whose session it is; 'nobody' without one. */
async function nameOf(shopper: Shopper): Promise<string> {
  const session = (await (await ask(shopper, '/room/api/session')).json()) as { caller?: { name: string } };
  return session.caller?.name ?? 'nobody';
}

/** Status and code of a write from a page at `origin`. */
async function write(shopper: Shopper, verb: string, json: object, origin = ROOM): Promise<string> {
  const response = await ask(shopper, `/api/remotes/${REMOTE}/${verb}`, { origin, json });
  const { error } = (await response.json()) as { error?: { code: string } };
  return [response.status, error?.code].filter((part) => part !== undefined).join(' ');
}

/**
 * The control room of a registry whose people sign in at `issuer`. `signIn` begins at a URL of the site and returns where the
 * browser ends.
 */
export async function checkRoom(
  site: Site,
  issuer: string,
  signIn: (shopper: Shopper, url: string, username: string) => Promise<string>,
): Promise<Finding[]> {
  const registry = await site.startRegistry({
    OIDC_ISSUER: issuer,
    ROOM_ROLES: JSON.stringify(ROLES),
    ROOM_ORIGIN: ROOM,
  });
  try {
    await publishRelease({ registryUrl: registry.url, token: SECRET, directory: RELEASE, hasCommit: false });
    const enter = async (username: string) => {
      const shopper = new Shopper();
      const end = await signIn(shopper, `${ROOM}/room/api/sign-in`, username);
      return { shopper, end: end.replace(ROOM, '') };
    };
    const { manager, lead, unverified } = PEOPLE;
    const grace = await enter(manager.username);
    const linus = await enter(lead.username);
    const mallory = await enter(unverified.username);
    const version = { version: VERSION };
    return [
      equal('Control room: a person with a group is', await nameOf(grace.shopper), manager.email),
      equal('Control room: may promote, as the group', await write(grace.shopper, 'promote', version), '200'),
      equal(
        'Control room: may not end a canary, which the group may not',
        await write(grace.shopper, 'rollback', {}),
        '403 FORBIDDEN',
      ),
      equal(
        'Control room: may not write from another site',
        await write(grace.shopper, 'promote', version, SITE),
        '403 WRITE_REFUSED',
      ),
      equal('Control room: a person with a verified address is', await nameOf(linus.shopper), LEAD),
      equal(
        'Control room: may not promote, which the address may not',
        await write(linus.shopper, 'promote', version),
        '403 FORBIDDEN',
      ),
      equal(
        'Control room: a person with an address that is not verified ends at',
        mallory.end,
        '/room?problem=FORBIDDEN',
      ),
      equal('Control room: that person is', await nameOf(mallory.shopper), 'nobody'),
    ];
  } finally {
    await registry.end();
  }
}
