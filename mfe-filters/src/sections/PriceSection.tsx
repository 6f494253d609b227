import { type ReactNode, useId, useState } from 'react';
import { setRange } from '../search/criteriaChanges.ts';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { formatDollars } from '@forecourt/shared-contracts/rules';
import { useFilter } from '../search/panelData.tsx';
import { useEdit } from '../search/searchEdits.tsx';
import {
  BoundField,
  type Bounds,
  type CommitResult,
  boundsOf,
  useBounds,
  RangeGraph,
} from './RangeControls.tsx';
import styles from './fields.module.css';
import switchStyles from './PaymentsToggle.module.css';

/** Characters of a price input, '$' and commas included (B9-LEN-02, AMB-091). */
export const PRICE_INPUT_MAX_LENGTH = 10;

const HINT = 'Digits, commas and $ only';

type Bound = 'min' | 'max';

/** A lone dollar sign counts as empty. */
const readTyped = (text: string): PriceInput =>
  text.trim() === '$' ? { kind: 'empty' } : readPriceInput(text);
const isTypedPrice = (text: string) => readTyped(text).kind !== 'refused';

/** Shows payments on the cards; turning it on opens the wallet dialog (B4-PANEL-15, B4-PANEL-16). */
function PaymentsToggle(): ReactNode {
  const emit = useEmit();
  const hasWallet = usePageState(selectFlag('wallet'));
  const showsPayments = usePageState(({ session }) => session.showsPayments);
  if (!hasWallet) return null;
  return (
    <label className={switchStyles['row']}>
      <span className={switchStyles['label']}>Show Payments</span>
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox reports its own state
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

/** The search's price bounds, the error of a rejected one, and the commit of a typed one. */
function usePriceRange() {
  const edit = useEdit();
  const [error, setError] = useState<{ bound: Bound; message: string } & Bounds>();
  const { min, max } = useBounds('minPrice', 'maxPrice');
  // The search's bounds changed since: the error no longer applies.
  if (error && (error.min !== min || error.max !== max)) setError(undefined);
  const setBounds = (change: (current: Bounds) => Bounds) =>
    edit(
      (current) => setRange(current, 'priceRange', change(boundsOf(current, 'minPrice', 'maxPrice'))),
      'filter:priceRange',
    );
  const commit = (bound: Bound, text: string): CommitResult => {
    const typed = readTyped(text);
    const value = typed.kind === 'valid' ? typed.value : undefined;
    const next = { min, max, [bound]: value };
    const message = priceRangeError(next.min, next.max);
    setError(message === undefined ? undefined : { bound, message, min, max });
    if (message !== undefined) return { isAccepted: false, text: '' };
    // A minimum of 0 means no minimum (AMB-091).
    const committedValue = value === 0 ? undefined : value;
    // An unchanged bound must not restart the search at its first page.
    if (committedValue !== { min, max }[bound])
      setBounds((current) => ({ ...current, [bound]: committedValue }));
    return { isAccepted: true, text: committedValue === undefined ? '' : String(committedValue) };
  };
  return { min, max, error, commit, setBounds };
}

/** Minimum and maximum price, validated together on commit (B5-PRICE-01..04, B5-PINPUT-01..05). */
export function PriceSection(): ReactNode {
  const histogram = useFilter('priceRange')?.histogram;
  const errorId = useId();
  const { min, max, error, commit, setBounds } = usePriceRange();
  // What is typed next would make another price of the characters before it, so the shopper should notice.
  const [isRefused, setRefused] = useState(false);
  const message = error?.message ?? (isRefused ? HINT : undefined);
  const field = (bound: Bound, label: string, value: number | undefined) => (
    <BoundField
      label={label}
      name={`${bound}Price`}
      value={value === undefined ? '' : String(value)}
      maxLength={PRICE_INPUT_MAX_LENGTH}
      pattern="[$,0-9]*"
      hint={HINT}
      accepts={isTypedPrice}
      onRefuse={() => setRefused(true)}
      onCommit={(text) => commit(bound, text)}
      isInvalid={error?.bound === bound}
      describedBy={errorId}
    />
  );
  return (
    <>
      {histogram && (
        <RangeGraph
          label="Price"
          histogram={histogram}
          step={histogram.step}
          min={min}
          max={max}
          format={formatDollars}
          onCommit={(bounds) => setBounds(() => bounds)}
        />
      )}
      <div className={styles['pair']} onFocus={() => setRefused(false)}>
        {field('min', 'Min Price', min)}
        {field('max', 'Max Price', max)}
      </div>
      <p id={errorId} role="alert" className={message && styles['error']}>
        {message}
      </p>
      <PaymentsToggle />
    </>
  );
}

/** Messages of the price range (B5-PRICE-01..03). */
const PRICE_MESSAGES = {
  same: 'Min and Max price cannot be the same.',
  reversed: 'Max price must be greater than Min price.',
  zeroMax: 'Max price must be greater than 0.',
} as const;

/**
 * Error of a committed range, checked in the order maximum 0, equal, reversed; undefined when it is valid. A
 * minimum of 0 means no minimum (AMB-091, AMB-092). USD.
 */
export function priceRangeError(min: number | undefined, max: number | undefined): string | undefined {
  if (max === 0) return PRICE_MESSAGES.zeroMax;
  if (!min || max === undefined) return undefined;
  if (min === max) return PRICE_MESSAGES.same;
  return min > max ? PRICE_MESSAGES.reversed : undefined;
}

export type PriceInput =
  | { readonly kind: 'empty' }
  | { readonly kind: 'valid'; readonly value: number }
  | { readonly kind: 'refused' };

/**
 * Parses a typed price: digits, commas and '$' only, 1 to 10 characters, no decimals or leading zeros; '0'
 * alone is valid (B5-PINPUT-01..04, AMB-091).
 */
export function readPriceInput(text: string): PriceInput {
  const typed = text.trim();
  if (typed === '') return { kind: 'empty' };
  if (typed.length > PRICE_INPUT_MAX_LENGTH || !/^[\d,$]+$/.test(typed)) return { kind: 'refused' };
  const digits = typed.replace(/[$,]/g, '');
  return /^(0|[1-9]\d*)$/.test(digits) ? { kind: 'valid', value: Number(digits) } : { kind: 'refused' };
}
