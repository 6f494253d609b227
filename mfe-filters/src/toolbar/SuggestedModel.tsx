import { useEffect, type ReactNode } from 'react';
import { usePageState } from '@forecourt/slots';
import { useLoaded } from '../search/useLoaded.ts';
// The lazily loaded dialog can't load its own styles.
import './SuggestedModelDialog.later.module.css';

const loadDialog = () =>
  import(/* webpackChunkName: "toolbar-on-demand" */ './SuggestedModelDialog.tsx').then(
    ({ SuggestedModelDialog }) => SuggestedModelDialog,
  );

/** The dialog that suggests another model: few searches have a suggestion, so only those load it. */
export function SuggestedModel(): ReactNode {
  const isOffered = usePageState(({ search }) => search.suggestions.models.length > 0);
  const { Loaded: SuggestedModelDialog, request } = useLoaded(loadDialog);
  useEffect(() => {
    if (isOffered) request();
  }, [isOffered, request]);
  return SuggestedModelDialog && <SuggestedModelDialog />;
}
