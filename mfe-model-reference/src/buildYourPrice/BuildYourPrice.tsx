import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatDollars, formatNumber } from '@forecourt/search/format';
import { fieldRowClass, PaymentFields } from '@forecourt/search/paymentFields';
import { readPaymentChoice } from '@forecourt/search/payments';
import { usePageState } from '@forecourt/slots';
import { buttonClass } from '@forecourt/slots/ui';
import type { Trim, Wallet } from '@forecourt/upstream/entities';
import styles from './BuildYourPrice.module.css';
import {
  BUILD_PATH,
  chosenTrim,
  queryOf,
  type BuildData,
  type ModelChoice,
  type PricedTrim,
  type TrimChoice,
} from './loadBuild.ts';

const submitClass = buttonClass('primary', styles['submit']);

function Options(props: { list: readonly { readonly code: string; readonly name: string }[] }): ReactNode {
  return props.list.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));
}

/** Choice of a make, then of one of its models. */
function ModelForm({ data }: { data: ModelChoice }): ReactNode {
  const { makes, makeCode, models, unavailable } = data;
  return (
    <>
      <div className={styles['head']}>
        <h1 className={styles['title']}>Build your price</h1>
        {unavailable === null ? (
          <p className={styles['quiet']}>Choose a make and model to get started.</p>
        ) : (
          <p role="status">{`There’s no new ${unavailable} to price right now. Choose another model.`}</p>
        )}
      </div>
      <form className={`${styles['panel']} ${styles['form']}`} method="get" action={BUILD_PATH}>
        <div className={fieldRowClass}>
          <label>
            Make
            <select id="build-make" name="makeCode" defaultValue={makeCode ?? undefined}>
              <Options list={makes} />
            </select>
          </label>
          {makeCode !== null && (
            <label>
              Model
              <select id="build-model" name="modelCode">
                <Options list={models} />
              </select>
            </label>
          )}
          <button type="submit" className={submitClass}>
            {makeCode === null ? 'Next' : 'Build'}
          </button>
        </div>
      </form>
    </>
  );
}

function fuelEconomy({ epaCity, epaHwy, epaMpgeCity, epaMpgeHwy }: Trim): string | undefined {
  if (epaCity !== undefined && epaHwy !== undefined) return `${epaCity} city / ${epaHwy} highway mpg`;
  return epaMpgeCity !== undefined && epaMpgeHwy !== undefined
    ? `${epaMpgeCity} city / ${epaMpgeHwy} highway MPGe`
    : undefined;
}

function TrimOption({ trim, isChosen }: { trim: PricedTrim; isChosen: boolean }): ReactNode {
  const facts = [
    trim.bodyStyle,
    trim.engineType === 'Electric' ? 'Electric' : undefined,
    fuelEconomy(trim),
  ].filter(Boolean);
  return (
    <label>
      <input type="radio" name="trim" value={trim.vehicleId} defaultChecked={isChosen} />
      <span>
        <strong>{trim.trimName}</strong>
        <span className={styles['small']}>{facts.join(' · ')}</span>
      </span>
      <span>{formatDollars(trim.nationalMSRP)}</span>
    </label>
  );
}

/** Model year and trims. Without JavaScript a button shows the trims of another year. */
function TrimFields({ data, trim }: { data: TrimChoice; trim: PricedTrim }): ReactNode {
  return (
    <div className={styles['panel']}>
      <div className={fieldRowClass}>
        <label>
          Model year
          <select id="build-year" name="year" defaultValue={data.year}>
            {data.years.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className={buttonClass('secondary')} name="show" value="year">
          Show trims
        </button>
      </div>
      <fieldset className={styles['trims']}>
        <legend>Trim</legend>
        {data.trims.map((option) => (
          <TrimOption key={option.vehicleId} trim={option} isChosen={option === trim} />
        ))}
      </fieldset>
    </div>
  );
}

/** New vehicles of the model year for sale. */
function StockLink({ data: { model, year, years } }: { data: TrimChoice }): ReactNode {
  const stock = years.find(({ value }) => value === year);
  if (!stock) return null;
  const from = stock.startingPrice === undefined ? '' : ` from ${formatDollars(stock.startingPrice)}`;
  return (
    <p>
      <a href={stock.link}>{`See ${formatNumber(stock.count)} new ${year} ${model.name} for sale${from}`}</a>
    </p>
  );
}

/** The choices in the form right now, as the query that it would send. */
function queryOfForm({ elements }: HTMLFormElement): URLSearchParams {
  return new URLSearchParams(
    ['trim', 'down', 'term', 'apr'].map((name) => [
      name,
      // A group of radio buttons has the value of the checked one.
      (elements.namedItem(name) as RadioNodeList | HTMLInputElement | null)?.value ?? '',
    ]),
  );
}

/** One GET form; in the browser the payment follows every change of it. */
function TrimForm({
  data,
  urlQuery,
  trim,
  wallet,
}: {
  data: TrimChoice;
  urlQuery: URLSearchParams;
  trim: PricedTrim;
  wallet: Wallet | null;
}) {
  const { model, trims } = data;
  const formRef = useRef<HTMLFormElement>(null);
  const [query, setQuery] = useState(urlQuery);
  // A reload restores what was typed before, without any event.
  useEffect(() => {
    if (formRef.current) setQuery(queryOfForm(formRef.current));
  }, []);
  const { nationalMSRP: price } = chosenTrim(query, trims) ?? trim;
  return (
    <>
      <div className={styles['head']}>
        <h1 className={styles['title']}>{`Build your price: new ${model.name}`}</h1>
        <p className={styles['quiet']}>Choose a model year and trim to see the price and monthly payment.</p>
      </div>
      <form
        ref={formRef}
        className={styles['build']}
        method="get"
        action={BUILD_PATH}
        onChange={({ currentTarget }) => setQuery(queryOfForm(currentTarget))}
      >
        <input type="hidden" name="makeCode" value={model.makeCode} />
        <input type="hidden" name="modelCode" value={model.modelCode} />
        <TrimFields data={data} trim={trim} />
        <div className={styles['panel']} id="payment">
          <h2>Your price</h2>
          <dl className={styles['sum']}>
            <div>
              <dt>MSRP</dt>
              <dd data-payment="price">{formatDollars(price)}</dd>
            </div>
          </dl>
          <PaymentFields
            price={price}
            defaults={readPaymentChoice(urlQuery, trim.nationalMSRP, wallet)}
            current={readPaymentChoice(query, price, wallet)}
          />
          <button type="submit" className={submitClass}>
            Calculate
          </button>
          <StockLink data={data} />
        </div>
      </form>
    </>
  );
}

/** What a new vehicle of one model costs, by trim and by month. */
export function BuildYourPrice({ data }: { data: BuildData | undefined }): ReactNode {
  const url = usePageState(({ page }) => page.url);
  const wallet = usePageState(({ session }) => session.wallet);
  if (!data) return null;
  if (data.kind === 'choose-model') return <ModelForm data={data} />;
  const urlQuery = queryOf(url);
  const trim = chosenTrim(urlQuery, data.trims);
  return (
    trim && (
      // The wallet is known only after hydration.
      <TrimForm
        key={wallet ? 'wallet' : 'example'}
        data={data}
        urlQuery={urlQuery}
        trim={trim}
        wallet={wallet}
      />
    )
  );
}
