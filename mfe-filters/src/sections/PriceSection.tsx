import { type ReactNode, useId, useState } from 'react';
import { setRange } from '../search/criteriaChanges.ts';
import { formatDollars } from '@forecourt/search/format';
import { useFilter } from '../search/panelData.tsx';
import { useEdit } from '../search/searchEdits.tsx';
import { RangeGraph } from './RangeGraph.tsx';
import { FieldError } from './FieldError.tsx';
import { FieldPair } from './FieldPair.tsx';
import { BoundField, type CommitResult } from './BoundField.tsx';
import { type Bounds, boundsOf, useBounds } from './useBounds.ts';
import { PaymentsToggle } from './PaymentsToggle.tsx';
import { PRICE_INPUT_MAX_LENGTH, priceRangeError, type PriceInput, readPriceInput } from './priceInput.ts';

const HINT = 'Whole dollars only, such as 20,000';

type Bound = 'min' | 'max';

/** A lone dollar sign counts as empty. */
const readTyped = (text: string): PriceInput =>
  text.trim() === '$' ? { kind: 'empty' } : readPriceInput(text);
const isRefusedPrice = (text: string) => readTyped(text).kind === 'refused';

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
    const input = readTyped(text);
    const value = input.kind === 'valid' ? input.value : undefined;
    const next = { min, max, [bound]: value };
    const message = priceRangeError(next.min, next.max);
    setError(message === undefined ? undefined : { bound, message, min, max });
    if (message !== undefined) return { isAccepted: false, text: '' };
    // A minimum of 0 means no minimum.
    const committedValue = value === 0 ? undefined : value;
    // An unchanged bound must not restart the search at its first page.
    if (committedValue !== { min, max }[bound])
      setBounds((current) => ({ ...current, [bound]: committedValue }));
    return { isAccepted: true, text: committedValue === undefined ? '' : String(committedValue) };
  };
  return { min, max, error, commit, setBounds };
}

/** Minimum and maximum price, validated together on commit. */
export function PriceSection(): ReactNode {
  const histogram = useFilter('priceRange')?.histogram;
  const errorId = useId();
  const { min, max, error, commit, setBounds } = usePriceRange();
  const [refused, setRefused] = useState<ReadonlySet<Bound>>(new Set());
  const message = error?.message ?? (refused.size > 0 ? HINT : undefined);
  const field = (bound: Bound, label: string, value: number | undefined) => (
    <BoundField
      label={label}
      name={`${bound}Price`}
      value={value === undefined ? '' : String(value)}
      maxLength={PRICE_INPUT_MAX_LENGTH}
      pattern="[$,0-9]*"
      hint={HINT}
      refuses={isRefusedPrice}
      onRefuse={(isRefused) =>
        setRefused((now) => new Set([...now, bound].filter((other) => other !== bound || isRefused)))
      }
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
      <FieldPair>
        {field('min', 'Min Price', min)}
        {field('max', 'Max Price', max)}
      </FieldPair>
      <FieldError id={errorId} message={message} />
      <PaymentsToggle />
    </>
  );
}
