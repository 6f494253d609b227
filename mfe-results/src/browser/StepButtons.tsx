import type { ReactNode } from 'react';
import { iconClass } from '@forecourt/slots/ui';

interface StepProps {
  /** Index of the current picture. */
  readonly current: number;
  readonly total: number;
  readonly onShow: (picture: number) => void;
  /** Classes `step`, `previous` and `next` of the style sheet. */
  readonly styles: Readonly<Record<string, string>>;
  /** Names the pictures where two galleries are in one document. */
  readonly noun?: string;
}

/** Buttons to the previous and the next picture. At an end the button stays focusable, so that keyboard focus isn't lost. */
export const StepButtons = (props: StepProps): ReactNode => (
  <>
    <StepButton {...props} step={-1} />
    <StepButton {...props} step={1} />
  </>
);

function StepButton(props: StepProps & { step: 1 | -1 }): ReactNode {
  const { current, total, onShow, styles, noun = 'picture', step } = props;
  const next = current + step;
  const isAtEnd = next < 0 || next >= total;
  const [label, place, icon] =
    step > 0 ? (['Next', 'next', 'arrowRight'] as const) : (['Previous', 'previous', 'arrowLeft'] as const);
  return (
    <button
      type="button"
      className={`${styles['step']} ${styles[place]} ${iconClass(icon, 18)}`}
      aria-label={`${label} ${noun}`}
      aria-disabled={isAtEnd || undefined}
      onClick={() => !isAtEnd && onShow(next)}
    />
  );
}
