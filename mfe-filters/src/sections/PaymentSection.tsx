import type { ReactNode } from 'react';
import { readPaymentLimit, writePaymentLimit, paymentLimitLabel } from '@forecourt/search/criteria';
import { formatDollars } from '@forecourt/search/format';
import {
  LOAN_TERMS_MONTHS,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  walletTerms,
} from '@forecourt/search/payments';
import { selectFlag } from '@forecourt/search/state';
import { useEmit, usePageState } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import { setValues } from '../search/criteriaChanges.ts';
import { useEdit, useSelectedValues } from '../search/searchEdits.tsx';
import { type ChangeTo, ChoiceRow, PlainRow } from './OptionRow.tsx';
import type { PanelOption, PanelSection } from './panelSections.ts';
import { NoScript } from '../search/NoScript.tsx';
import { useSectionOptions } from './useSectionOptions.ts';
import { BoundField } from './BoundField.tsx';
import { Field, inputClass } from './Field.tsx';
import { FieldPair } from './FieldPair.tsx';
import styles from './PaymentSection.later.module.css';
import { readPriceInput } from './priceInput.ts';

const PARAM = 'monthlyPayment';
/** Characters of the shopper's own limit. */
const PAYMENT_LENGTH = 7;
const changeTo: ChangeTo = (value) => (current) => setValues(current, PARAM, [value]);

type Terms = NonNullable<ReturnType<typeof readPaymentLimit>>['terms'];

/** Without the amount, so that equal terms are equal texts. */
const termsKey = (terms: Terms): string => writePaymentLimit({ max: 1, terms });

/** The value with other terms. */
const withTerms = (value: string, terms: Terms): string => {
  const limit = readPaymentLimit(value);
  return limit ? writePaymentLimit({ ...limit, terms }) : value;
};

/** One option per amount, by these terms. A response that was counted by other terms gives no count. */
function optionsBy(listed: readonly PanelOption[], terms: Terms): readonly PanelOption[] {
  const options = new Map<string, PanelOption>();
  for (const { count, ...option } of listed) {
    const value = withTerms(option.value, terms);
    const isCounted = value === option.value;
    if (options.has(value) && !isCounted) continue;
    options.set(value, {
      ...option,
      value,
      label: paymentLimitLabel(String(readPaymentLimit(value)?.max)) ?? option.label,
      isUnavailable: isCounted && option.isUnavailable,
      ...(isCounted && count !== undefined && { count }),
    });
  }
  return [...options.values()];
}

function TermsText({ terms }: { terms: Terms }): ReactNode {
  const { down, termMonths = PAYMENT_TERM_MONTHS, aprPercent = PAYMENT_APR_PERCENT } = terms;
  const deposit = down === undefined ? `${PAYMENT_DOWN_SHARE * 100}%` : formatDollars(down);
  return (
    <p className={styles['terms']}>
      {`Estimated with ${deposit} down and ${termMonths} months at ${aprPercent}% APR, without taxes and fees.`}
    </p>
  );
}

/** The terms as fields of the form, for browsers that can't open the wallet. */
const TermFields = ({ terms }: { terms: Terms }): ReactNode => (
  <FieldPair>
    <Field label="Down payment ($)">
      <input
        className={inputClass}
        name="paymentDown"
        inputMode="numeric"
        pattern="[$,0-9]*"
        maxLength={11}
        defaultValue={terms.down}
      />
    </Field>
    <Field label="Term">
      <select
        className={inputClass}
        name="paymentTerm"
        defaultValue={terms.termMonths ?? PAYMENT_TERM_MONTHS}
      >
        {LOAN_TERMS_MONTHS.map((months) => (
          <option key={months} value={months}>{`${months} months`}</option>
        ))}
      </select>
    </Field>
    <Field label="APR (%)">
      <input
        className={inputClass}
        name="paymentApr"
        inputMode="decimal"
        pattern="\d{1,2}(\.\d{1,2})?"
        maxLength={5}
        defaultValue={terms.aprPercent ?? PAYMENT_APR_PERCENT}
      />
    </Field>
  </FieldPair>
);

/** The highest monthly payment: by the terms of the search, of the wallet or of the example, in that order. */
export function PaymentSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const emit = useEmit();
  const wallet = usePageState(({ session }) => session.wallet);
  const own = wallet ? walletTerms(wallet) : undefined;
  const hasWallet = usePageState(selectFlag('wallet'));
  const [chosenValue] = useSelectedValues(PARAM);
  const listedOptions = useSectionOptions(panel);
  const chosenTerms = readPaymentLimit(chosenValue ?? '')?.terms;
  const terms = chosenTerms ?? own ?? {};
  const options = optionsBy(listedOptions, terms);
  const choose = (values: readonly string[]) =>
    edit((current) => setValues(current, PARAM, values), `filter:${PARAM}`);
  const isOther = chosenValue !== undefined && own !== undefined && termsKey(own) !== termsKey(terms);
  return (
    <>
      <PlainRow
        type="radio"
        name={PARAM}
        option={{ value: '', label: 'Any' }}
        isChosen={chosenValue === undefined}
        onChoose={() => choose([])}
      />
      {options.map((option) => (
        <ChoiceRow key={option.value} type="radio" param={PARAM} option={option} changeTo={changeTo} />
      ))}
      <div className={styles['own']}>
        <BoundField
          label="Or up to ($ a month)"
          // Without scripts, the options above are sent under the parameter's name.
          name=""
          value={String(readPaymentLimit(chosenValue ?? '')?.max ?? '')}
          maxLength={PAYMENT_LENGTH}
          pattern="[$,0-9]*"
          hint="Whole dollars"
          refuses={(text) => readPriceInput(text).kind === 'refused'}
          onCommit={(text) => {
            const input = readPriceInput(text);
            const max = input.kind === 'valid' ? input.value : 0;
            const value = max > 0 ? writePaymentLimit({ max, terms }) : undefined;
            if (value !== chosenValue) choose(value === undefined ? [] : [value]);
            return { isAccepted: true, text: max > 0 ? String(max) : '' };
          }}
        />
      </div>
      <TermsText terms={terms} />
      <NoScript>
        <TermFields terms={terms} />
      </NoScript>
      {isOther && (
        <Button look="quiet" onClick={() => choose([withTerms(chosenValue, own)])}>
          Use my terms
        </Button>
      )}
      {hasWallet && (
        <Button
          look="quiet"
          className={styles['scripted']}
          aria-haspopup="dialog"
          onClick={() => emit('dialog.requested', { name: 'wallet' })}
        >
          Change terms
        </Button>
      )}
    </>
  );
}
