/**
 * The Internet of the proof. Its addresses are public ones, so that services treat them like any outside address; packets to
 * them stay in two network namespaces without a route out.
 */
export const SITE_ADDRESS = '151.101.1.69';
/** Link between both namespaces: the site's end, the Internet's end, with the length of the prefix. */
export const LINKS = [
  { site: `${SITE_ADDRESS}/30`, internet: '151.101.1.70/30' },
  { site: '2a04:4e42::45/64', internet: '2a04:4e42::46/64' },
] as const;

export const NAME_SERVER = '93.184.215.53';
const SERVER = '93.184.215.14';
const SERVER_6 = '2606:2800:21f:cb07::14';
/** Has a name and no machine: packets to it get no response. */
const SILENT_6 = '2606:2800:21f:cb07::dead';

/** Servers that no service may reach because somebody outside named them; each answers, if asked. */
export const INTERNAL = {
  private: '10.20.0.5',
  metadata: '169.254.169.254',
  private6: 'fd12:3456:789a::5',
} as const;

export const SITE_HOST = 'www.forecourt.example';
export const IDENTITY_HOST = 'id.forecourt.example';
/** The same site for accounts of another issuer. */
export const OTHER_SITE_HOST = 'members.forecourt.example';
export const OTHER_SITE_PORT = 8443;
export const ROOM_HOST = 'releases.forecourt.example';
export const ROOM_PORT = 8444;

export const MAIL_HOST = 'mail.provider.example';
/** Leads to the same server, whose certificate has other names. */
export const FORGED_MAIL_HOST = 'forged.provider.example';
export const MAIL_PORTS = { starttls: 587, implicitTls: 465, plain: 2525 } as const;

export const STORE_HOST = 'objects.storage.example';
/** Leads to the same server, whose certificate has other names. */
export const FORGED_STORE_HOST = 'forged.storage.example';
export const STORE_PORTS = { s3Proxy: 9445, s3Mock: 9446 } as const;

/** With a path, a port, and a slash at its end, which is part of its name. */
export const ISSUER_PORT = 9443;
export const ISSUER = `https://login.people.example:${ISSUER_PORT}/realms/site/`;
const KEYCLOAK_HOST = 'login.keycloak.example';
export const KEYCLOAK_PORT = 9444;
export const KEYCLOAK = `https://${KEYCLOAK_HOST}:${KEYCLOAK_PORT}/auth`;
export const CI_ISSUER = 'https://token.actions.githubusercontent.com';

export const FEED_HOST = 'feeds.dealer.example';
/** Redirects to the metadata address. */
export const MOVED_FEED_HOST = 'moved.dealer.example';
/** Its certificate is of other names. */
export const FORGED_FEED_HOST = 'forged.dealer.example';
/** Push services by the way that their names lead. */
export const PUSH_HOSTS = {
  public: 'fcm.googleapis.com',
  private: 'web.push.apple.com',
  metadata: 'db5.notify.windows.com',
} as const;

/** Names that lead to a server of photos. */
export const PHOTO_HOSTS = {
  ipv4: 'ipv4.photos.example',
  ipv6: 'ipv6.photos.example',
  both: 'both.photos.example',
  halfDead: 'half.photos.example',
} as const;

/** Names that a feed may use, and that lead into the internal network, alone or beside a public address. */
export const INTERNAL_PHOTO_HOSTS = {
  private: 'private.photos.example',
  metadata: 'metadata.photos.example',
  private6: 'private6.photos.example',
  mixed: 'mixed.photos.example',
} as const;
/** Redirects into the internal network. */
export const REDIRECTING_HOST = 'moved.photos.example';

/** The addresses of each name. */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  [SITE_HOST]: [SITE_ADDRESS],
  [IDENTITY_HOST]: [SITE_ADDRESS],
  [OTHER_SITE_HOST]: [SITE_ADDRESS],
  [ROOM_HOST]: [SITE_ADDRESS],
  [MAIL_HOST]: [SERVER],
  [FORGED_MAIL_HOST]: [SERVER],
  [STORE_HOST]: [SERVER],
  [FORGED_STORE_HOST]: [SERVER],
  [new URL(ISSUER).hostname]: [SERVER],
  [KEYCLOAK_HOST]: [SERVER],
  [new URL(CI_ISSUER).hostname]: [SERVER],
  [FEED_HOST]: [SERVER],
  [MOVED_FEED_HOST]: [SERVER],
  [FORGED_FEED_HOST]: [SERVER],
  [PUSH_HOSTS.public]: [SERVER],
  [PUSH_HOSTS.private]: [INTERNAL.private],
  [PUSH_HOSTS.metadata]: [INTERNAL.metadata],
  [PHOTO_HOSTS.ipv4]: [SERVER],
  [PHOTO_HOSTS.ipv6]: [SERVER_6],
  [PHOTO_HOSTS.both]: [SERVER_6, SERVER],
  [PHOTO_HOSTS.halfDead]: [SILENT_6, SERVER],
  [INTERNAL_PHOTO_HOSTS.private]: [INTERNAL.private],
  [INTERNAL_PHOTO_HOSTS.metadata]: [INTERNAL.metadata],
  [INTERNAL_PHOTO_HOSTS.private6]: [INTERNAL.private6],
  [INTERNAL_PHOTO_HOSTS.mixed]: [SERVER, INTERNAL.private],
  [REDIRECTING_HOST]: [SERVER],
};

/** Names that the certificate of their server lacks. */
export const FORGED_HOSTS: readonly string[] = [FORGED_FEED_HOST, FORGED_MAIL_HOST, FORGED_STORE_HOST];

/** What the Internet's namespace answers to. */
export const SERVED: readonly string[] = [NAME_SERVER, SERVER, SERVER_6, ...Object.values(INTERNAL)];
