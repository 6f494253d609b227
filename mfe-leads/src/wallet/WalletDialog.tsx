import type { FormEvent, ReactNode } from 'react';
import { LOAN_TERMS_MONTHS, formatDollars } from '@forecourt/shared-contracts/rules';
import { changeFilters } from '@forecourt/shared-contracts/criteria';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button } from '@forecourt/shared-contracts/ui';
import { Field } from '../form/Field.tsx';
import formStyles from '../form/form.module.css';
import { useCheckedFields } from '../form/useCheckedFields.ts';
import { useFields } from '../form/useFields.ts';
import { useLeads } from '../host/leadsContext.ts';
import type { ListingOnPage } from '../listing/findListing.ts';
import { DealOfListing } from './DealOfListing.tsx';
import { budgetPrice, exampleFields, fieldsOfWallet, walletOf, WALLET_FIELDS } from './terms.ts';
import styles from './WalletDialog.module.css';

const TERM_OPTIONS = LOAN_TERMS_MONTHS.map((months) => [String(months), `${months} months`] as const);
/** A budget's price is searched for in whole hundreds. */
const PRICE_STEP = 100;

/** Budget and terms, from which cards show payments (A2-UI-10, B1-OFFER-05, B2-MODAL-07). */
export function WalletDialog({
  found,
  onClose,
}: {
  found: ListingOnPage | undefined;
  onClose: () => void;
}): ReactNode {
  const { emit } = useSlotEnvironment();
  const { toasts } = useLeads();
  const saved = usePageState(({ session }) => session.wallet);
  const criteria = usePageState(({ search }) => search.criteria);
  const fields = useFields(
    WALLET_FIELDS,
    saved ? fieldsOfWallet(saved) : exampleFields(found?.listing.pricingDetail.derivedPrice),
  );
  const { formRef, bind, check } = useCheckedFields({ form: 'wallet', fields, bodyOf: walletOf });
  const wallet = walletOf(fields.values);
  const price = budgetPrice(wallet);
  const isComplete = Number.isFinite(price) && wallet.monthlyBudget > 0;

  const keep = async (then: 'close' | 'search') => {
    if (!(await check(wallet))) return;
    emit('wallet.changed', { wallet });
    emit('payments.showRequested', { show: true });
    onClose();
    if (then === 'close') return toasts.show('Your wallet is saved. Cards show payments now.');
    const maxPrice = String(Math.max(PRICE_STEP, Math.floor(price / PRICE_STEP) * PRICE_STEP));
    const { minPrice, ...others } = criteria.filters;
    const isBelow = minPrice?.[0] !== undefined && Number(minPrice[0]) >= Number(maxPrice);
    const filters = { ...others, ...(isBelow ? {} : minPrice && { minPrice }), maxPrice: [maxPrice] };
    emit('search.changeRequested', { criteria: changeFilters(criteria, filters), cause: 'wallet' });
  };
  const giveUp = () => {
    emit('wallet.changed', { wallet: null });
    emit('payments.showRequested', { show: false });
    onClose();
    toasts.show('Your wallet is empty again.', {
      label: 'Undo',
      onUse() {
        emit('wallet.changed', { wallet: saved });
        emit('payments.showRequested', { show: true });
      },
    });
  };
  const money = { inputMode: 'decimal', autoComplete: 'off' } as const;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void keep('close');
  };
  return (
    <form ref={formRef} className={formStyles['form']} noValidate onSubmit={onSubmit}>
      {found && (
        <DealOfListing found={found} wallet={isComplete ? wallet : undefined} check={() => check(wallet)} />
      )}
      <Field {...bind('monthlyBudget')} label="Monthly budget, $" required isFirst input={money} />
      <div className={formStyles['pair']}>
        <Field {...bind('downPayment')} label="Down payment, $" input={money} />
        <Field {...bind('tradeInValue')} label="Trade-in value, $" input={money} />
      </div>
      <div className={formStyles['pair']}>
        <Field {...bind('termMonths')} label="Term" required options={TERM_OPTIONS} />
        <Field {...bind('aprPercent')} label="APR, %" required input={money} />
      </div>
      <p className={styles['result']} role="status">
        {isComplete ? (
          <>
            Pays for a car up to <strong>{formatDollars(price)}</strong>
          </>
        ) : (
          'Enter a monthly budget to see what it pays for.'
        )}
      </p>
      <p className={styles['note']}>
        An estimate before taxes and fees, kept in this browser only. A lender’s offer may differ.
      </p>
      <div className={styles['actions']}>
        <Button type="submit" look="primary">
          Show payments
        </Button>
        <Button onClick={() => void keep('search')}>See cars in my budget</Button>
        {saved && (
          <Button look="quiet" onClick={giveUp}>
            Empty wallet
          </Button>
        )}
      </div>
    </form>
  );
}
