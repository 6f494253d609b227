import * as openId from 'openid-client';
import type { PageResponse, IdentityRig, Visit, Visitor } from './identityRig.ts';

export const PASSWORD = 'four words about cars';

export const form = (visit: Visit, fields: Record<string, string>): Record<string, string> => ({
  csrf: visit.csrf,
  ...fields,
});

const csrfOf = ({ text }: PageResponse): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** Opens a page and submits its form. */
export async function fillIn(
  visitor: Visitor,
  url: string,
  fields: Record<string, string> = {},
): Promise<PageResponse> {
  const page = await visitor.get(url);
  return visitor.post(url, { csrf: csrfOf(page), ...fields });
}

/** Signs up from the shop, confirms the mailed link, and returns to the shop. */
export async function signUp(
  rig: IdentityRig,
  visitor: Visitor,
  email: string,
  name = 'Ada Byron',
): Promise<{ visit: Visit; callback: URL }> {
  const visit = await visitor.begin({ prompt: 'create' });
  await visitor.post(`${visit.base}/sign-up`, form(visit, { name, email, password: PASSWORD }));
  return {
    visit,
    callback: await rig.toShop(visitor, await fillIn(visitor, (await rig.mailTo(email)).link)),
  };
}

export const redeem = async (rig: IdentityRig, callback: URL, { checks }: Visit) =>
  openId.authorizationCodeGrant(await rig.client(), callback, {
    pkceCodeVerifier: checks.codeVerifier,
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    idTokenExpected: true,
  });
