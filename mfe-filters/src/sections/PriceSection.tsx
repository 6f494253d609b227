import { useId, useState, type ReactNode } from 'react';
import { PRICE_INPUT_MAX_LENGTH } from '../constants.ts';
import { type PriceInput, priceRangeError, readPriceInput } from './priceInput.ts';
import { setRange } from '../search/criteriaChanges.ts';
import { formatDollars } from '@forecourt/shared-contracts/ui';
import { useFilter } from '../search/panelData.tsx';
import { useEdit } from '../search/searchEdits.tsx';
import { BoundField, type CommittedBound, type Bounds, boundsOf, useBounds } from './BoundField.tsx';
import { Histogram, RangeSliders } from './RangeGraph.tsx';
import styles from './fields.later.module.css';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import switchStyles from './PaymentsToggle.later.module.css';

type Bound = 'min' | 'max';

/** A price may begin with its dollar sign, which alone is none. */
const readTyped = (text: string): PriceInput =>
  text.trim() === '$' ? { kind: 'empty' } : readPriceInput(text);
const isTypedPrice = (text: string) => readTyped(text).kind !== 'refused';

/** Least and greatest price, checked together when one is committed (B5-PRICE-01..04, B5-PINPUT-01..05, AMB-092). */
export function PriceSection(): ReactNode {
  const edit = useEdit();
  const histogram = useFilter('priceRange')?.histogram;
  const errorId = useId();
  const [error, setError] = useState<{ bound: Bound; message: string } & Bounds>();
  const { min, max } = useBounds('minPrice', 'maxPrice');
  // Other bounds were taken meanwhile: the refused one is over with them.
  if (error && (error.min !== min || error.max !== max)) setError(undefined);

  const commit =
    (bound: Bound) =>
    (text: string): CommittedBound => {
      const typed = readTyped(text);
      const value = typed.kind === 'valid' ? typed.value : undefined;
      const next = { min, max, [bound]: value };
      const message = priceRangeError(next.min, next.max);
      setError(message === undefined ? undefined : { bound, message, min, max });
      if (message !== undefined) return { isTaken: false, text: '' };
      // A minimum of 0 is no minimum (AMB-091).
      const taken = value === 0 ? undefined : value;
      // What applies already is no new search from the first page.
      if (taken !== { min, max }[bound]) {
        edit(
          (newest) =>
            setRange(newest, 'priceRange', { ...boundsOf(newest, 'minPrice', 'maxPrice'), [bound]: taken }),
          'filter:priceRange',
        );
      }
      return { isTaken: true, text: taken === undefined ? '' : String(taken) };
    };
  const field = (bound: Bound, label: string, value: number | undefined) => (
    <BoundField
      label={label}
      name={`${bound}Price`}
      value={value === undefined ? '' : String(value)}
      maxLength={PRICE_INPUT_MAX_LENGTH}
      pattern="[$,0-9]*"
      hint="Digits, commas and $ only"
      accepts={isTypedPrice}
      onCommit={commit(bound)}
      isInvalid={error?.bound === bound}
      describedBy={errorId}
    />
  );
  return (
    <>
      {histogram && (
        <>
          <Histogram histogram={histogram} min={min} max={max} format={formatDollars} label="Price" />
          <RangeSliders
            label="price"
            lowest={histogram.min}
            highest={histogram.max}
            step={histogram.step}
            min={min}
            max={max}
            format={formatDollars}
            onCommit={(bounds) =>
              edit((newest) => setRange(newest, 'priceRange', bounds), 'filter:priceRange')
            }
          />
        </>
      )}
      <div className={styles['pair']}>
        {field('min', 'Min Price', min)}
        {field('max', 'Max Price', max)}
      </div>
      <p id={errorId} role="alert" className={error === undefined ? undefined : styles['error']}>
        {error?.message}
      </p>
      <PaymentsToggle />
    </>
  );
}

/** Payments on the cards, or prices only; switched on it asks for the wallet's terms (B4-PANEL-15, B4-PANEL-16). */
export function PaymentsToggle(): ReactNode {
  const emit = useEmit();
  const hasWallet = usePageState(selectFlag('wallet'));
  const showsPayments = usePageState(({ session }) => session.showsPayments);
  if (!hasWallet) return null;
  return (
    <label className={switchStyles['row']}>
      <span className={switchStyles['label']}>Show Payments</span>
      <input
        type="checkbox"
        role="switch"
        className={switchStyles['switch']}
        checked={showsPayments}
        onChange={(event) => {
          const show = event.target.checked;
          emit('payments.showRequested', { show });
          if (show) emit('dialog.requested', { name: 'wallet' });
        }}
      />
    </label>
  );
}
