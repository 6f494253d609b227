import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { addFilters } from '@forecourt/shared-contracts/criteria';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button, Dialog } from '@forecourt/shared-contracts/ui';
import { useEdit } from '../search/searchEdits.tsx';
import styles from './SuggestedModelDialog.later.module.css';
import { SUPPRESSED_MODELS_DAYS } from '../constants.ts';

const neverChanges = () => () => {};
const readCookies = () => document.cookie;
const readNone = () => '';

/**
 * Asks once results are in whether another model was meant, unless the shopper
 * has declined one of the suggested (B2-MODAL-08, B4-SUGGEST-01..03, AMB-088).
 */
export function SuggestedModelDialog(): ReactNode {
  const edit = useEdit();
  const { models } = usePageState(({ search }) => search.suggestions);
  const isReady = usePageState(({ search }) => search.status === 'ready');
  const [answered, setAnswered] = useState('');
  const [isSuppressing, setIsSuppressing] = useState(false);
  const codes = models.map(({ suggestedModelCode }) => suggestedModelCode);
  const codeList = codes.join(',');
  const [model] = models;
  // Nobody knows the cookies while the page is rendered on the server or hydrated. Browsers take their time to read them.
  const cookies = useSyncExternalStore(neverChanges, model ? readCookies : readNone, () => null);
  const suppressed = cookies === null ? codes : suppressedModels(cookies);
  // One answer is enough: the next search may bring the same suggestion.
  const isOpen = isReady && answered !== codeList && !codes.some((code) => suppressed.includes(code));

  if (!model) return null;
  const close = () => {
    setAnswered(codeList);
    if (isSuppressing) document.cookie = suppressionCookie(document.cookie, codes);
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
          <Button
            look="primary"
            onClick={() => {
              close();
              const { suggestedMakeCode, suggestedModelCode } = model;
              edit(
                (newest) =>
                  addFilters(newest, { makeCode: [suggestedMakeCode], modelCode: [suggestedModelCode] }),
                'suggestedModel',
              );
            }}
          >
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

const COOKIE = 'suppressedModels';
const SECONDS_A_DAY = 86_400;

/** Model codes which the shopper no longer wants suggested, from the text of all cookies (AMB-088). */
export function suppressedModels(cookies: string): readonly string[] {
  const pair = cookies.split('; ').find((entry) => entry.startsWith(`${COOKIE}=`));
  if (pair === undefined) return [];
  try {
    return decodeURIComponent(pair.slice(COOKIE.length + 1))
      .split(',')
      .filter(Boolean);
  } catch {
    // Somebody else's value: nothing is suppressed.
    return [];
  }
}

/** The cookie that adds codes to the suppressed ones for 30 days (B4-SUGGEST-03, AMB-088). */
export function suppressionCookie(cookies: string, codes: readonly string[]): string {
  const all = [...new Set([...suppressedModels(cookies), ...codes])];
  const maxAge = SUPPRESSED_MODELS_DAYS * SECONDS_A_DAY;
  return `${COOKIE}=${encodeURIComponent(all.join(','))}; Path=/cars-for-sale; Max-Age=${maxAge}; SameSite=Lax`;
}
