import { writePaymentLimit } from '@forecourt/search/criteria';
import {
  ABOUT,
  applyRules,
  AT_LEAST,
  AT_MOST,
  IS_THOUSANDS,
  leaveOut,
  numberOf,
  OR_LESS,
  OR_MORE,
  type Reading,
  type Rule,
  rule,
  setValue,
} from './reading.ts';

const MONEY = String.raw`(\$? ?\d+(?:\.\d+)? ?(?:k\b|thousand\b|grand\b|hundred\b)?)(?: ?(?:dollars?|bucks|usd)\b)?`;
/** Smaller amounts mean thousands: 'under 20'. */
const SMALLEST_PRICE = 200;
/** 'Around $20,000' allows this share more or less. */
const ABOUT_SHARE = 0.1;

/** Dollars: 'between 20 and 30k' means thousands twice. */
const priceOf = (text: string): number => {
  const amount = numberOf(text);
  return Math.round(amount < SMALLEST_PRICE && !text.includes('$') ? amount * 1000 : amount);
};

const setRange = (reading: Reading, low: string, high: string): void => {
  const isThousands = IS_THOUSANDS.test(high) && !IS_THOUSANDS.test(low) && numberOf(low) < SMALLEST_PRICE;
  const bounds = [priceOf(isThousands ? `${numberOf(low)}k` : low), priceOf(high)];
  setValue(reading, 'minPrice', Math.min(...bounds));
  setValue(reading, 'maxPrice', Math.max(...bounds));
};

const setAbout = (reading: Reading, text: string): void => {
  const price = priceOf(text);
  setValue(reading, 'minPrice', Math.round(price * (1 - ABOUT_SHARE)));
  setValue(reading, 'maxPrice', Math.round(price * (1 + ABOUT_SHARE)));
};

const setMost = (reading: Reading, [, a]: readonly string[]): void =>
  setValue(reading, 'maxPrice', priceOf(a!));
const setLeast = (reading: Reading, [, a]: readonly string[]): void =>
  setValue(reading, 'minPrice', priceOf(a!));

/** Share of ten thousand dollars from and to which 'the low 20s' reach. */
const PART_OF_TEN: Readonly<Record<string, readonly [number, number]>> = {
  low: [0, 0.3],
  lower: [0, 0.3],
  mid: [0.3, 0.7],
  high: [0.7, 1],
  upper: [0.7, 1],
};

const PRICE_WORD = '(?:priced? |costs? |costing |budget (?:of |is )?|for )?';
const IS_MONEY = /\$|\dk\b|\d k\b|thousand|grand|dollar|bucks|usd|hundred/;

const PRICES: readonly Rule[] = [
  rule(
    String.raw`(?:in |the )*(?:(low|lower|mid|high|upper)[ -]?(?:to )?)?\$?([1-6])0 ?s`,
    (reading, [, part, tens]) => {
      const [from, to] = PART_OF_TEN[part ?? ''] ?? [0, 1];
      const base = Number(tens) * 10_000;
      setValue(reading, 'minPrice', base + from * 10_000);
      setValue(reading, 'maxPrice', base + to * 10_000);
    },
  ),
  rule('(?:in |the )*(low|lower|mid|high|upper) teens', (reading, [, part]) => {
    const [from, to] = PART_OF_TEN[part!]!;
    setValue(reading, 'minPrice', 10_000 + from * 10_000);
    setValue(reading, 'maxPrice', 10_000 + to * 10_000);
  }),
  rule(`${PRICE_WORD}between ${MONEY} ?(?:and|to|-) ?${MONEY}`, (reading, [, a, b]) =>
    setRange(reading, a!, b!),
  ),
  rule(`${PRICE_WORD}(?:from )?${MONEY} ?(?:-|to) ?${MONEY}`, (reading, [text, a, b]) => {
    if (!IS_MONEY.test(text!)) return false;
    setRange(reading, a!, b!);
    return true;
  }),
  rule(`${MONEY} ?-?ish`, (reading, [, a]) => setAbout(reading, a!)),
  rule(`${PRICE_WORD}${ABOUT} ${MONEY} ${OR_LESS}`, setMost),
  rule(
    `(?:my |our )?(?:max(?:imum)? |total |price )?(?:budget|price|limit)(?: of| is| around| about| under| max)* ${MONEY}`,
    setMost,
  ),
  rule(
    `(?:to |can |could |only )?spend(?:ing)?(?: about| around| up to| under| only| max| no more than)* ${MONEY}`,
    setMost,
  ),
  rule(`${PRICE_WORD}${AT_MOST} ${MONEY}`, setMost),
  rule(`${PRICE_WORD}${AT_LEAST} ${MONEY}`, setLeast),
  rule(`${MONEY} ?(?:${OR_LESS}|budget|cash|to spend|out the door|otd|to work with)`, setMost),
  rule(String.raw`${MONEY} ?(?:${OR_MORE}|\+)`, setLeast),
  rule(`${PRICE_WORD}${ABOUT} ${MONEY}`, (reading, [text, a]) => {
    if (!IS_MONEY.test(text!)) return false;
    setAbout(reading, a!);
    return true;
  }),
  rule(`${MONEY} (?:or so|give or take)`, (reading, [text, a]) => {
    if (!IS_MONEY.test(text!)) return false;
    setAbout(reading, a!);
    return true;
  }),
  rule(`${PRICE_WORD}${MONEY}`, (reading, [text, a]) => {
    if (!IS_MONEY.test(text!)) return false;
    setValue(reading, 'maxPrice', priceOf(a!));
    return true;
  }),
];

/** A bare round number is a price: 'civic 8000'. */
const ROUND_PRICE = rule(String.raw`(\d{1,3}[05]00)`, (reading, [, a]) => {
  // 2500 is a pickup's.
  if (reading.filters.has('maxPrice') || Number(a) < 1000 || /^[1-5]500$/.test(a!)) return false;
  setValue(reading, 'maxPrice', a!);
  reading.guessed.add('maxPrice');
  return true;
});

const AMOUNT = String.raw`\$? ?(\d{2,4})(?: ?(?:dollars?|bucks|usd)\b)?`;
const A_MONTH = String.raw`(?:(?:/|per|a|each|every|p) ?(?:month|mo|mth|mnth|m)\b|monthly\b|(?<=\$ ?\d+ )mo\b)`;
const AT_MOST_OR_ABOUT = `(?:${AT_MOST}|${ABOUT}|for|at|of|only|pay(?:ing)?|afford)`;

interface Loan {
  max?: number;
  down?: number;
  termMonths?: number;
  aprPercent?: number;
  /** The texts of terms, in case that no payment is named. */
  readonly terms: string[];
}

const loanRules = (loan: Loan): readonly Rule[] => {
  const pay = (text: string | undefined): void => {
    loan.max = Number(text);
  };
  return [
    rule(`${AMOUNT} ?(?:(?:/|per|a|each) ?week|weekly|bi-?weekly|every two weeks)(?: payments?)?`, leaveOut),
    rule(`(?:bi-?)?weekly (?:payments? (?:of )?)?${AMOUNT}(?: payments?)?`, leaveOut),
    rule(`(?:${AT_LEAST}) ${AMOUNT} ?${A_MONTH}`, leaveOut),
    rule(
      String.raw`(?:(?:monthly |car |with |a )*payments? (?:(?:of|is|at|to|be|has|have|needs?|must|should|stays?|around|about) )*)?(?:${AT_MOST_OR_ABOUT} )*(?:\$?\d+ ?(?:-|to|and) ?)?${AMOUNT} ?${A_MONTH}(?: ${OR_LESS})?(?: (?:car )?(?:payments?|budget))?`,
      (_, [, a]) => pay(a),
    ),
    rule(
      String.raw`(?:(?:monthly|car|my|our|keep|with|a|the|low) )*payments? (?:(?:of|is|at|to|be|has|have|needs?|must|should|stays?|around|about) )*(?:${AT_MOST_OR_ABOUT} )*(?:\$?\d+ ?(?:-|to|and) ?)?${AMOUNT}(?: ${OR_LESS})?`,
      (_, [, a]) => pay(a),
    ),
    rule(`(?:${AT_MOST_OR_ABOUT} |a )*${AMOUNT} (?:monthly |car )?payments?`, (_, [, a]) => pay(a)),
    rule('(?:with |and )?(?:no|zero|0|nothing|\\$0) (?:money )?down(?: payment)?', (_, [text]) => {
      loan.down = 0;
      loan.terms.push(text!);
    }),
    rule(
      `(?:(?:with|and|put|putting|have) )*(?:a )?(?:down payment (?:of )?${MONEY}|${MONEY} (?:down(?: payment)?|as a down payment|to put down))`,
      (_, [text, a, b]) => {
        loan.down = numberOf((a || b)!);
        loan.terms.push(text!);
      },
    ),
    rule(
      String.raw`(?:(?:for|over|on an?|with an?) )?(36|48|60|72|84) ?-?(?:months?|mos?)(?: (?:loan|term|financing|finance))?`,
      (_, [text, a]) => {
        loan.termMonths = Number(a);
        loan.terms.push(text!);
      },
    ),
    rule(
      String.raw`(?:(?:at|with) )?(\d{1,2}(?:\.\d{1,2})?) ?% ?(?:apr|interest(?: rate)?|rate)?`,
      (_, [text, a]) => {
        loan.aprPercent = Number(a);
        loan.terms.push(text!);
      },
    ),
  ];
};

/** 'Less than 300 a month with 2k down'; terms alone are no filter. */
function readPayment(reading: Reading): void {
  const loan: Loan = { terms: [] };
  applyRules(reading, loanRules(loan));
  const { max, terms, ...loanTerms } = loan;
  if (max === undefined) reading.leftOut.push(...terms);
  else setValue(reading, 'monthlyPayment', writePaymentLimit({ max, terms: loanTerms }));
}

/** Takes payments and prices out of the sentence. */
export function readMoney(reading: Reading): void {
  readPayment(reading);
  applyRules(reading, PRICES);
}

/** Takes a bare round number as a price, after models and years were found. */
export const readRoundPrice = (reading: Reading): void => applyRules(reading, [ROUND_PRICE]);
