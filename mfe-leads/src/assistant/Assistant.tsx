import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import { useCloseOnBack, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState, type RootState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { useLeads } from '../host/leadsContext.ts';
import { nearestDealer } from '../widget/nearestDealer.ts';
import styles from './Assistant.module.css';
import { PROMPTS, type AssistantPrompt } from './prompts.ts';

/** The floating helper: a button, and above it a popover with prompts that work (A1-SCOPE-11, A2-UI-11). */
export function Assistant(): ReactNode {
  const { emit, listen } = useSlotEnvironment();
  const { toasts } = useLeads();
  const store = useStore<RootState>();
  const isFeature = usePageState(selectFlag('shoppingAssistant'));
  // A page without a search, such as a vehicle's own, has no heading of one: there is nothing to change there.
  const isOn = usePageState(({ search }) => search.texts.heading !== '') && isFeature;
  const [isOpen, setIsOpen] = useState(false);
  const popoverId = useId();
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
  if (!isOn) return null;

  const use = ({ label, action }: AssistantPrompt) => {
    close();
    emit('page.tracked', { kind: 'click', name: `assistant: ${label}` });
    const { search } = store.getState();
    if (action.kind === 'wallet') return emit('dialog.requested', { name: 'wallet' });
    if (action.kind === 'search')
      return emit('search.changeRequested', { criteria: action.change(search.criteria), cause: 'assistant' });
    const dealer = nearestDealer(search);
    if (dealer) return emit('lead.requested', { listingId: dealer.listing.id, kind: 'email' });
    toasts.show('No dealer is among these results.');
  };
  const hasWallet = selectFlag('wallet')(store.getState());
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
                  onClick={() => use(prompt)}
                >
                  {prompt.label}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <button
        ref={buttonRef}
        type="button"
        className={styles['opener']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? popoverId : undefined}
        aria-label={isOpen ? 'Close the shopping assistant' : 'Open the shopping assistant'}
        onClick={() => (isOpen ? close() : setIsOpen(true))}
      >
        <Icon name={isOpen ? 'close' : 'help'} size={24} />
      </button>
    </div>
  );
}
