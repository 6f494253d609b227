/** Upper-case letters and digits of a name: 'Grand Cherokee' is GRANDCHEROKEE, 'F-150' is F150. */
export function codeFromName(name: string): string {
  return withoutAccents(name)
    .toUpperCase()
    .replace(/&/g, 'AND')
    .replace(/\+/g, 'PLUS')
    .replace(/[^A-Z0-9]/g, '');
}

/**
 * Lower-case, hyphenated name for a URL segment (AMB-046), without a hyphen
 * before a digit: 'F-150' is f150, 'Grand Cherokee' is grand-cherokee.
 */
export function slugFromName(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replace(/-(?=\d)/g, '')
    .replace(/&/g, 'and')
    .replace(/\+/g, ' plus')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Key of a name in any spelling: equal for 'f-150', 'F150' and 'F 150'. */
export function nameKey(name: string): string {
  return codeFromName(name);
}

function withoutAccents(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '');
}
