import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import {
  changeFilters,
  normalizeFilters,
  selectCategory,
  type SearchCriteria,
} from '@forecourt/search/criteria';
import { selectFlag, type RootState } from '@forecourt/search/state';
import { usePageState, useCloseOnBack, useSlotEnvironment } from '@forecourt/slots';
import { Button, Icon } from '@forecourt/slots/ui';
import { nearestDealer } from '../listing/findListing.ts';
import { useLeads } from '../state/leadsContext.ts';
import styles from './Assistant.module.css';

/** USD; for 'under $20,000'. */
const AFFORDABLE_PRICE = 20_000;

/** The place of a search, which a described car doesn't change unless it names another. */
const PLACE = ['zip', 'searchRadius', 'city', 'state', 'area'] as const;

interface Prompt {
  readonly label: string;
  readonly action:
    | { readonly kind: 'search'; readonly change: (criteria: SearchCriteria) => SearchCriteria }
    | { readonly kind: 'wallet' }
    | { readonly kind: 'contact' };
}

/** The canned prompts. */
const PROMPTS: readonly Prompt[] = [
  {
    label: 'Show me the best deals',
    action: { kind: 'search', change: (criteria) => selectCategory(criteria, 'best-deals') },
  },
  {
    label: 'Only electric cars',
    action: {
      kind: 'search',
      change: (criteria) => changeFilters(criteria, { ...criteria.filters, fuelTypeGroup: ['ELE'] }),
    },
  },
  {
    label: 'Cars under $20,000',
    action: {
      kind: 'search',
      change(criteria) {
        const { minPrice, ...otherFilters } = criteria.filters;
        // A minimum above the new maximum would match nothing.
        const isBelowMax = minPrice?.[0] !== undefined && Number(minPrice[0]) < AFFORDABLE_PRICE;
        return changeFilters(criteria, {
          ...otherFilters,
          ...(isBelowMax && { minPrice }),
          maxPrice: [String(AFFORDABLE_PRICE)],
        });
      },
    },
  },
  { label: 'Estimate my monthly payment', action: { kind: 'wallet' } },
  { label: 'Contact a dealer nearby', action: { kind: 'contact' } },
];

/** Open state of the popover. It opens on `dialog.requested` and closes on Back and on a press outside. */
function usePopover() {
  const { listen } = useSlotEnvironment();
  const [isOpen, setIsOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const firstRef = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsOpen(false);
    buttonRef.current?.focus();
  };
  useCloseOnBack(isOpen, close);
  useEffect(
    () => listen('dialog.requested', ({ name }) => name === 'assistant' && setIsOpen(true)),
    [listen],
  );
  useEffect(() => {
    if (!isOpen) return undefined;
    firstRef.current?.focus();
    const closeOutside = (event: PointerEvent) => {
      const target = event.target as Element;
      if (!target.closest(`[data-assistant]`)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  return { isOpen, open: () => setIsOpen(true), close, buttonRef, firstRef };
}

/** Runs a prompt: a changed search, the wallet, or an email to the nearest dealer. */
function useRunPrompt(): (prompt: Prompt) => void {
  const { emit } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();
  return ({ label, action }) => {
    emit('page.tracked', { kind: 'click', name: `assistant: ${label}` });
    const { search } = store.getState();
    if (action.kind === 'wallet') return emit('dialog.requested', { name: 'wallet' });
    if (action.kind === 'search')
      return emit('search.changeRequested', { criteria: action.change(search.criteria), cause: 'assistant' });
    const dealer = nearestDealer(search);
    if (dealer) return emit('lead.requested', { listingId: dealer.listing.id, kind: 'email' });
    toasts.show('There are no dealers in these results.');
  };
}

/** A described car, searched in the place of the current search; the server reads the words as filters. */
function describedSearch({ categorySearch: _, ...criteria }: SearchCriteria, words: string): SearchCriteria {
  const place = Object.fromEntries(PLACE.map((name) => [name, criteria.filters[name]]));
  return changeFilters(criteria, normalizeFilters({ ...place, keyword: [words] }));
}

/** A field to describe the car in the shopper's own words. */
function DescribeCar({ onDone }: { onDone: () => void }): ReactNode {
  const { emit } = useSlotEnvironment();
  const store = useStore<RootState>();
  const id = useId();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    emit('page.tracked', { kind: 'click', name: 'assistant: described car' });
    const criteria = describedSearch(store.getState().search.criteria, text.trim());
    onDone();
    emit('search.changeRequested', { criteria, cause: 'assistant' });
  };
  return (
    <form className={styles['describe']} onSubmit={submit}>
      <label htmlFor={id}>Or describe the car you want</label>
      <div className={styles['field']}>
        <input
          id={id}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          enterKeyHint="search"
          autoComplete="off"
          maxLength={120}
          placeholder="SUV under 25k"
        />
        <Button type="submit" look="primary">
          Search
        </Button>
      </div>
    </form>
  );
}

/** Shopping assistant: a button at the end of the page and a floating popover with prompts. */
export function Assistant(): ReactNode {
  const { isOpen, open, close, buttonRef, firstRef } = usePopover();
  const runPrompt = useRunPrompt();
  const popoverId = useId();
  const hasFlag = usePageState(selectFlag('shoppingAssistant'));
  const hasWallet = usePageState(selectFlag('wallet'));
  // Pages without a search, such as a vehicle page, have no heading and nothing to change.
  const hasSearch = usePageState(({ search }) => search.texts.heading !== '');
  if (!hasFlag || !hasSearch) return null;
  const prompts = PROMPTS.filter(({ action }) => action.kind !== 'wallet' || hasWallet);
  return (
    // Escape closes from anywhere inside; the buttons are the controls.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles['assistant']}
      data-assistant
      onKeyDown={(event) => event.key === 'Escape' && isOpen && close()}
    >
      {isOpen && (
        <section id={popoverId} className={styles['popover']} role="dialog" aria-label="Shopping assistant">
          <h2 className={styles['heading']}>Need help? Try these.</h2>
          <ul className={styles['prompts']}>
            {prompts.map((prompt, index) => (
              <li key={prompt.label}>
                <Button
                  ref={index === 0 ? firstRef : undefined}
                  className={styles['prompt']}
                  onClick={() => {
                    close();
                    runPrompt(prompt);
                  }}
                >
                  {prompt.label}
                </Button>
              </li>
            ))}
          </ul>
          <DescribeCar onDone={close} />
        </section>
      )}
      <Button
        ref={buttonRef}
        aria-expanded={isOpen}
        aria-controls={isOpen ? popoverId : undefined}
        aria-label={isOpen ? 'Close the shopping assistant' : 'Open the shopping assistant'}
        onClick={() => (isOpen ? close() : open())}
      >
        <Icon name={isOpen ? 'close' : 'help'} />
        Shopping assistant
      </Button>
    </div>
  );
}
