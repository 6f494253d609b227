import type { FormEvent, ReactNode } from 'react';
import { changeFilters, type SearchCriteria, writePaymentLimit } from '@forecourt/search/criteria';
import { formatDollars } from '@forecourt/search/format';
import { LOAN_TERMS_MONTHS, walletTerms } from '@forecourt/search/payments';
import type { SessionState } from '@forecourt/search/state';
import { usePageState, useSlotEnvironment } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import { Field } from '../../form/Field.tsx';
import { useFields } from '../../form/useFields.ts';
import type { ListingWithOwner } from '../../listing/findListing.ts';
import { useLeads } from '../../state/leadsContext.ts';
import { ListingDeal } from './ListingDeal.tsx';
import { budgetPrice, DEFAULT_FIELDS, fieldsToWallet, walletToFields, WALLET_FIELDS } from './terms.ts';
import styles from './WalletDialog.module.css';
import { useCheckedFields } from '../../form/useCheckedFields.ts';
import { FieldPair } from '../../form/FieldPair.tsx';

const TERM_OPTIONS = LOAN_TERMS_MONTHS.map((months) => [String(months), `${months} months`] as const);
const MONEY_INPUT = { inputMode: 'decimal', autoComplete: 'off' } as const;
/** Narrows a search to what a budget pays by the wallet's terms, as the payment filter does. */
const withinBudget = (
  criteria: SearchCriteria,
  wallet: NonNullable<SessionState['wallet']>,
): SearchCriteria =>
  changeFilters(criteria, {
    ...criteria.filters,
    monthlyPayment: [
      writePaymentLimit({ max: Math.floor(wallet.monthlyBudget), terms: walletTerms(wallet) }),
    ],
  });

/** Saves and clears the wallet; both close the dialog. */
function useWalletActions(saved: NonNullable<SessionState['wallet']> | null, onClose: () => void) {
  const { emit } = useSlotEnvironment();
  const { toasts } = useLeads();
  const criteria = usePageState(({ search }) => search.criteria);
  const apply = (wallet: NonNullable<SessionState['wallet']> | null) => {
    emit('wallet.changed', { wallet });
    emit('payments.showRequested', { show: wallet !== null });
  };
  return {
    save: (wallet: NonNullable<SessionState['wallet']>, then: 'close' | 'search') => {
      apply(wallet);
      onClose();
      if (then === 'close') return toasts.show('Budget saved. Prices now show monthly payments.');
      emit('search.changeRequested', {
        criteria: withinBudget(criteria, wallet),
        cause: 'wallet',
      });
    },
    clear: () => {
      apply(null);
      onClose();
      toasts.show('Wallet cleared.', { label: 'Undo', onUse: () => apply(saved) });
    },
  };
}

/** Budget and loan terms, from which cards calculate payments. */
export function WalletDialog({
  vehicle,
  onClose,
}: {
  vehicle: ListingWithOwner | undefined;
  onClose: () => void;
}): ReactNode {
  const savedWallet = usePageState(({ session }) => session.wallet);
  const { save, clear } = useWalletActions(savedWallet, onClose);
  const fields = useFields(WALLET_FIELDS, savedWallet ? walletToFields(savedWallet) : DEFAULT_FIELDS);
  const { formRef, bind, check } = useCheckedFields({ form: 'wallet', fields, bodyOf: fieldsToWallet });
  const wallet = fieldsToWallet(fields.values);
  const price = budgetPrice(wallet);
  const isComplete = Number.isFinite(price) && wallet.monthlyBudget > 0;
  const checkAndSave = async (then: 'close' | 'search') => {
    if (await check(wallet)) save(wallet, then);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void checkAndSave('close');
  };
  return (
    <form ref={formRef} className={styles['form']} noValidate onSubmit={onSubmit}>
      {vehicle && (
        <ListingDeal vehicle={vehicle} wallet={isComplete ? wallet : undefined} check={() => check(wallet)} />
      )}
      <Field {...bind('monthlyBudget')} label="Monthly budget ($)" required isFirst input={MONEY_INPUT} />
      <FieldPair>
        <Field {...bind('downPayment')} label="Down payment ($, optional)" input={MONEY_INPUT} />
        <Field {...bind('tradeInValue')} label="Trade-in value ($, optional)" input={MONEY_INPUT} />
      </FieldPair>
      <FieldPair>
        <Field {...bind('termMonths')} label="Term" required options={TERM_OPTIONS} />
        <Field {...bind('aprPercent')} label="APR (%)" required input={MONEY_INPUT} />
      </FieldPair>
      <p className={styles['result']} role="status">
        {isComplete ? (
          <>
            Buys a car up to <strong>{formatDollars(price)}</strong>
          </>
        ) : (
          'Enter a monthly budget to see what you can afford.'
        )}
      </p>
      <p className={styles['note']}>
        Estimate before taxes and fees, saved only in this browser. A lender’s offer may differ.
      </p>
      <div className={styles['actions']}>
        <Button type="submit" look="primary">
          Show payments
        </Button>
        <Button onClick={() => void checkAndSave('search')}>See cars in my budget</Button>
        {savedWallet && (
          <Button look="quiet" onClick={clear}>
            Clear wallet
          </Button>
        )}
      </div>
    </form>
  );
}
