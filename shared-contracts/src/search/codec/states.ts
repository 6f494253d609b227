/** USPS codes of the states, the District of Columbia and the territories with ZIP codes. */
const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY ' +
    'NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI'
  ).split(' '),
);

/** 'ga' → 'GA'; undefined when it is no state. */
export function stateCode(raw: string): string | undefined {
  const code = raw.trim().toUpperCase();
  return STATES.has(code) ? code : undefined;
}
