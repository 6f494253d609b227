import { useState, type ReactNode, useEffect, useRef } from 'react';
import type { Filter } from '@forecourt/shared-contracts/entities';
import styles from './RangeGraph.module.css';
import { useIsNoScript } from '../search/links.tsx';
import { type FilterParam, type SearchCriteria, valuesOf } from '@forecourt/shared-contracts/criteria';
import { usePendingField, useSelectedValues } from '../search/searchEdits.tsx';
import fieldStyles from './fields.module.css';

/** Result of committing a text. */
export interface CommitResult {
  readonly isAccepted: boolean;
  /** New text of the field. */
  readonly text: string;
}

interface BoundFieldProps {
  readonly label: string;
  readonly name: string;
  /** The search's bound as digits; empty when it is open. */
  readonly value: string;
  readonly maxLength: number;
  /** Validation without JavaScript: `pattern` and `title` of the input. */
  readonly pattern: string;
  readonly hint: string;
  /** Whether the field accepts this text while typing. */
  readonly accepts: (text: string) => boolean;
  /** Called when it doesn't. */
  readonly onRefuse?: () => void;
  /** Called on Enter, or on blur after a change. */
  readonly onCommit: (text: string) => CommitResult;
  readonly isInvalid?: boolean;
  readonly describedBy?: string;
}

/** One bound of a range, committed on Enter or blur (B5-PINPUT-05). */
export function BoundField(props: BoundFieldProps): ReactNode {
  const { label, name, value, maxLength, pattern, hint, accepts, onRefuse, onCommit } = props;
  const { isInvalid = false, describedBy } = props;
  const [typed, setTyped] = useState(value);
  const [applied, setShown] = useState({ value, isInvalid });
  const input = useRef<HTMLInputElement>(null);
  const isChanged = useRef(false);
  /** The last text was rejected and the shopper may not have noticed yet. */
  const isRejected = useRef(false);
  if (applied.value !== value || applied.isInvalid !== isInvalid) {
    setShown({ value, isInvalid });
    // A rejection empties the field; once it is resolved, show the bound again.
    if (applied.value !== value || !isInvalid) setTyped(value);
  }
  useEffect(() => {
    if (!isInvalid) isRejected.current = false;
  }, [isInvalid]);
  const commit = () => {
    isChanged.current = false;
    const { isAccepted, text } = onCommit(typed);
    isRejected.current = !isAccepted;
    setTyped(text);
  };
  usePendingField(() => {
    if (isChanged.current || (typed !== value && !isRejected.current)) commit();
    if (!isRejected.current) return true;
    // Focus it only once: the shopper may leave the field as it is.
    isRejected.current = false;
    input.current?.focus();
    return false;
  });
  return (
    <label className={fieldStyles['field']}>
      <span className={fieldStyles['fieldLabel']}>{label}</span>
      <input
        ref={input}
        className={fieldStyles['input']}
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={maxLength}
        pattern={pattern}
        title={hint}
        value={typed}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={(event) => {
          if (!accepts(event.target.value)) return onRefuse?.();
          isChanged.current = true;
          setTyped(event.target.value);
        }}
        onBlur={() => isChanged.current && commit()}
        onKeyDown={(event) => {
          // After a rejection the field is empty but unchanged: Enter removes the bound.
          if (event.key === 'Enter' && (isChanged.current || typed !== value)) commit();
        }}
      />
    </label>
  );
}

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

const numberOf = (values: readonly string[]) => (values[0] === undefined ? undefined : Number(values[0]));

/** The bounds of a range; an open one is undefined. */
export const boundsOf = (criteria: SearchCriteria, lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(valuesOf(criteria, lower)),
  max: numberOf(valuesOf(criteria, upper)),
});

/** The bounds of a range that the controls show. */
export const useBounds = (lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(useSelectedValues(lower)),
  max: numberOf(useSelectedValues(upper)),
});

const HEIGHT = 48;
const GAP = 0.15;

interface HistogramProps {
  readonly histogram: NonNullable<Filter['histogram']>;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly format: (value: number) => string;
  /** E.g. 'Price'. */
  readonly label: string;
}

/** Distribution of the results over a range; bars within the selected bounds are highlighted. */
function Histogram({ histogram, min, max, format, label }: HistogramProps): ReactNode {
  const { counts, step } = histogram;
  const maxCount = Math.max(1, ...counts);
  const peak = counts.indexOf(maxCount);
  const startOf = (bar: number) => histogram.min + bar * step;
  const isInside = (bar: number) =>
    (min === undefined || startOf(bar + 1) > min) && (max === undefined || startOf(bar) <= max);
  const peakText =
    peak < 0
      ? ''
      : `, most often ${format(startOf(peak))}${step > 1 ? ` to ${format(startOf(peak + 1))}` : ''}`;
  return (
    <svg
      className={styles['histogram']}
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label} of the results: ${format(histogram.min)} to ${format(histogram.max)}${peakText}`}
    >
      {counts.map((count, bar) => {
        // Square root scale: keeps small counts visible next to large ones.
        const height =
          count === 0 ? 0 : Math.max(1.5, Math.round(Math.sqrt(count / maxCount) * HEIGHT * 10) / 10);
        return (
          <rect
            key={startOf(bar)}
            className={isInside(bar) ? styles['inside'] : styles['outside']}
            x={bar + GAP / 2}
            y={HEIGHT - height}
            width={1 - GAP}
            height={height}
          />
        );
      })}
    </svg>
  );
}

interface RangeSlidersProps {
  readonly label: string;
  readonly lowest: number;
  readonly highest: number;
  readonly step: number;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly format: (value: number) => string;
  /** A bound moved to the end of the range becomes open; an unmoved one keeps its value, even outside the range. */
  readonly onCommit: (bounds: Bounds) => void;
}

/** Two native range inputs over one track, committed on release. A form submits the text fields instead. */
export function RangeSliders(props: RangeSlidersProps): ReactNode {
  const { label, lowest, highest, step, min, max, format, onCommit } = props;
  const committed = { min: min ?? lowest, max: max ?? highest };
  const [dragged, setDragged] = useState<{ min: number; max: number } | null>(null);
  const isNoScript = useIsNoScript();
  const currentBounds = dragged ?? committed;
  const clamp = (value: number) => Math.min(highest, Math.max(lowest, value));
  const commit = () => {
    if (!dragged) return;
    setDragged(null);
    if (dragged.min === committed.min && dragged.max === committed.max) return;
    onCommit({
      min: dragged.min === committed.min ? min : dragged.min > lowest ? dragged.min : undefined,
      max: dragged.max === committed.max ? max : dragged.max < highest ? dragged.max : undefined,
    });
  };
  if (isNoScript) return null;
  const thumb = (bound: 'min' | 'max') => (
    <input
      className={styles['thumb']}
      type="range"
      aria-label={`${bound === 'min' ? 'Minimum' : 'Maximum'} ${label}`}
      aria-valuetext={format(currentBounds[bound])}
      min={lowest}
      max={highest}
      step={step}
      value={clamp(currentBounds[bound])}
      onChange={(event) => {
        const value = Number(event.target.value);
        // Keep the thumbs one step apart: an empty or reversed range has no results.
        setDragged(
          bound === 'min'
            ? { ...currentBounds, min: Math.min(value, Math.max(lowest, currentBounds.max - step)) }
            : { ...currentBounds, max: Math.max(value, Math.min(highest, currentBounds.min + step)) },
        );
      }}
      onPointerUp={commit}
      onKeyUp={commit}
      onBlur={commit}
    />
  );
  return (
    <div className={styles['sliders']}>
      {thumb('min')}
      {thumb('max')}
    </div>
  );
}

interface RangeGraphProps extends Pick<RangeSlidersProps, 'step' | 'min' | 'max' | 'format' | 'onCommit'> {
  readonly histogram: NonNullable<Filter['histogram']>;
  /** E.g. 'Price'. */
  readonly label: string;
}

/** A histogram with two sliders below it. */
export function RangeGraph({ histogram, label, ...range }: RangeGraphProps): ReactNode {
  const { min, max, format } = range;
  return (
    <>
      <Histogram histogram={histogram} min={min} max={max} format={format} label={label} />
      <RangeSliders label={label.toLowerCase()} lowest={histogram.min} highest={histogram.max} {...range} />
    </>
  );
}
