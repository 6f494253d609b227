import type { CrawlLink, Trim } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber } from '@forecourt/shared-contracts/rules';
import { escapeHtml } from '../../page/html.ts';
import type { PaymentChoice } from '../payment.ts';
import { paymentFields } from '../paymentForm.ts';
import { BUILD_PATH, type ChosenModel } from './choice.ts';

type Priced = Trim & { readonly nationalMSRP: number };

export interface BuildView {
  readonly model: ChosenModel;
  readonly year: string;
  readonly years: readonly CrawlLink[];
  readonly trims: readonly Priced[];
  readonly chosen: Priced;
  readonly payment: PaymentChoice;
  /** New vehicles of that year for sale. */
  readonly stock: CrawlLink | undefined;
}

function economy({ epaCity, epaHwy, epaMpgeCity, epaMpgeHwy }: Trim): string | undefined {
  if (epaCity !== undefined && epaHwy !== undefined) return `${epaCity} city / ${epaHwy} highway mpg`;
  return epaMpgeCity !== undefined && epaMpgeHwy !== undefined
    ? `${epaMpgeCity} city / ${epaMpgeHwy} highway MPGe`
    : undefined;
}

const trimChoice = (trim: Priced, isChosen: boolean): string =>
  `<label><input type="radio" name="trim" value="${escapeHtml(trim.vehicleId)}" data-price="${trim.nationalMSRP}"${isChosen ? ' checked' : ''}>` +
  `<span><strong>${escapeHtml(trim.trimName)}</strong><span class="fp-small">${[
    trim.bodyStyle,
    trim.engineType === 'Electric' ? 'Electric' : undefined,
    economy(trim),
  ]
    .filter(Boolean)
    .map((text) => escapeHtml(text ?? ''))
    .join(' · ')}</span></span>` +
  `<span>${formatDollars(trim.nationalMSRP)}</span></label>`;

/** The body of the page on which a new vehicle of one model is put together. One form, whose button says what it does. */
export function buildView({ model, year, years, trims, chosen, payment, stock }: BuildView): string {
  const name = escapeHtml(`${model.makeName} ${model.modelName}`);
  const yearOptions = years
    .map(
      ({ value, label }) =>
        `<option value="${escapeHtml(value)}"${value === year ? ' selected' : ''}>${escapeHtml(label)}</option>`,
    )
    .join('');
  return (
    `<div class="fp-head"><h1 class="fp-title">Build your price: new ${name}</h1>` +
    '<p class="fp-quiet">Choose model year and trim, and see what it costs a month.</p></div>' +
    `<form class="fp-build" method="get" action="${BUILD_PATH}" data-payment-price="${chosen.nationalMSRP}">` +
    `<input type="hidden" name="makeCode" value="${escapeHtml(model.makeCode)}"><input type="hidden" name="modelCode" value="${escapeHtml(model.modelCode)}">` +
    '<div class="fp-panel"><div class="fp-fields">' +
    `<label>Model year<select id="build-year" name="year">${yearOptions}</select></label>` +
    '<button type="submit" class="fc-action-quiet" name="show" value="year">Show trims</button></div>' +
    `<fieldset class="fp-trims"><legend>Trim</legend>${trims.map((trim) => trimChoice(trim, trim === chosen)).join('')}</fieldset></div>` +
    '<div class="fp-panel" id="payment"><h2>Your price</h2><dl class="fp-sum">' +
    `<div><dt>Manufacturer’s suggested price</dt><dd data-payment="price">${formatDollars(chosen.nationalMSRP)}</dd></div></dl>` +
    paymentFields(chosen.nationalMSRP, payment) +
    '<button type="submit" class="fc-action">Calculate</button>' +
    (stock
      ? `<p><a href="${escapeHtml(stock.link)}">See ${formatNumber(stock.count)} new ${escapeHtml(year)} ${name} for sale${stock.startingPrice === undefined ? '' : ` from ${formatDollars(stock.startingPrice)}`}</a></p>`
      : '') +
    '</div></form>'
  );
}

/** For a model of which nothing new is known, or none at all: the choice of one. `makes` and their models by name. */
export function chooseView(
  makes: readonly {
    readonly code: string;
    readonly name: string;
    readonly models: readonly { readonly code: string; readonly name: string }[];
  }[],
  wanted: { readonly makeCode: string | undefined; readonly missing: ChosenModel | undefined },
): string {
  const make = makes.find(({ code }) => code === wanted.makeCode);
  const options = (list: readonly { code: string; name: string }[], chosen: string | undefined) =>
    list
      .map(
        ({ code, name }) =>
          `<option value="${escapeHtml(code)}"${code === chosen ? ' selected' : ''}>${escapeHtml(name)}</option>`,
      )
      .join('');
  return (
    '<div class="fp-head"><h1 class="fp-title">Build your price</h1>' +
    (wanted.missing
      ? `<p role="status">Nothing new of the ${escapeHtml(`${wanted.missing.makeName} ${wanted.missing.modelName}`)} can be built at the moment. Choose another model.</p>`
      : '<p class="fp-quiet">Choose a make and a model to begin with.</p>') +
    `</div><form class="fp-panel fp-form" method="get" action="${BUILD_PATH}"><div class="fp-fields">` +
    `<label>Make<select id="build-make" name="makeCode">${options(makes, make?.code)}</select></label>` +
    (make
      ? `<label>Model<select id="build-model" name="modelCode">${options(make.models, undefined)}</select></label>`
      : '') +
    `<button type="submit" class="fc-action">${make ? 'Build' : 'Next'}</button></div></form>`
  );
}
