import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { addFilters } from '@forecourt/search/criteria';
import { usePageState } from '@forecourt/slots';
import { Button, Dialog } from '@forecourt/slots/ui';
import { useEdit } from '../search/searchEdits.tsx';
import styles from './SuggestedModelDialog.later.module.css';

/** Days for which a suggested model stays suppressed. */
const SUPPRESSED_MODELS_DAYS = 30;

const COOKIE = 'suppressedModels';
const SECONDS_PER_DAY = 86_400;

const neverChanges = () => () => {};
const readCookies = () => document.cookie;
const readNone = () => '';

/** True while results and a suggestion are loaded that the shopper neither answered nor turned off. */
function useIsOffered(codes: readonly string[], dismissedCodes: string): boolean {
  const isReady = usePageState(({ search }) => search.status === 'ready');
  // Null on the server and during hydration. Reading cookies is slow, so skip it without a suggestion.
  const cookies = useSyncExternalStore(neverChanges, codes.length > 0 ? readCookies : readNone, () => null);
  const suppressed = cookies === null ? codes : suppressedModels(cookies);
  return isReady && dismissedCodes !== codes.join(',') && !codes.some((code) => suppressed.includes(code));
}

/**
 * Suggests another model once the results are loaded, unless the shopper turned off one of the suggestions.
 */
export function SuggestedModelDialog(): ReactNode {
  const edit = useEdit();
  const { models } = usePageState(({ search }) => search.suggestions);
  // Ask once: the next search may have the same suggestion.
  const [dismissedCodes, setDismissedCodes] = useState('');
  const [isSuppressing, setIsSuppressing] = useState(false);
  const codes = models.map(({ suggestedModelCode }) => suggestedModelCode);
  const isOpen = useIsOffered(codes, dismissedCodes);
  const [model] = models;
  if (!model) return null;
  const close = () => {
    setDismissedCodes(codes.join(','));
    if (isSuppressing) document.cookie = suppressionCookie(document.cookie, codes);
  };
  const accept = () => {
    close();
    const { suggestedMakeCode: make, suggestedModelCode: code } = model;
    edit((current) => addFilters(current, { makeCode: [make], modelCode: [code] }), 'suggestedModel');
  };
  const suggested = `${model.suggestedMakeDescription} ${model.suggestedModelDescription}`;
  return (
    <Dialog
      open={isOpen}
      title={`Did you mean ${suggested}?`}
      onClose={close}
      footer={
        <div className={styles['actions']}>
          <Button onClick={close}>No</Button>
          <Button look="primary" onClick={accept}>
            Yes
          </Button>
        </div>
      }
    >
      <p>
        You searched for {model.selectedMakeDescription} {model.selectedModelDescription}. Add {suggested} to
        your search?
      </p>
      <label className={styles['again']}>
        <input
          type="checkbox"
          checked={isSuppressing}
          onChange={(event) => setIsSuppressing(event.target.checked)}
        />
        {"Don't show again"}
      </label>
    </Dialog>
  );
}

/** Model codes that the shopper doesn't want suggested. `cookies` is `document.cookie`. */
export function suppressedModels(cookies: string): readonly string[] {
  const pair = cookies.split('; ').find((entry) => entry.startsWith(`${COOKIE}=`));
  if (pair === undefined) return [];
  try {
    return decodeURIComponent(pair.slice(COOKIE.length + 1))
      .split(',')
      .filter(Boolean);
  } catch {
    // Malformed cookie: nothing is suppressed.
    return [];
  }
}

/** A cookie that adds codes to the suppressed ones. */
export function suppressionCookie(cookies: string, codes: readonly string[]): string {
  const all = [...new Set([...suppressedModels(cookies), ...codes])];
  const maxAge = SUPPRESSED_MODELS_DAYS * SECONDS_PER_DAY;
  return `${COOKIE}=${encodeURIComponent(all.join(','))}; Path=/cars-for-sale; Max-Age=${maxAge}; SameSite=Lax`;
}
