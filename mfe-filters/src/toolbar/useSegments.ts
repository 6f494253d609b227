import { useEffect, useRef, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';

/** Where the visitor is when the segments are asked for. */
const ORIGIN = 'results';
const NONE: readonly string[] = [];

/**
 * The segments of a visitor (A7-OTHER-04, AMB-181), asked for once a page and
 * never for bots or without the flag (AMB-094). They stay the same while one
 * search is shown: whoever is about to click an offer finds it where it was.
 */
export function useSegments(isUsed: boolean): readonly string[] {
  const { call } = useSlotEnvironment();
  const isBot = usePageState(({ session }) => session.isBot);
  const isOn = usePageState(selectFlag('personalization'));
  const isWanted = isUsed && isOn && !isBot;
  const filters = usePageState(({ search }) => search.criteria.filters);
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const suggestions = usePageState(({ search }) => search.suggestions);
  const [known, setKnown] = useState(NONE);
  const [shown, setShown] = useState({ suggestions, segments: NONE });
  const params = {
    'pc.origin': ORIGIN,
    'pc.fueltype': filters.fuelTypeGroup?.join(',') ?? '',
    zip: filters.zip?.[0] ?? visitorZip ?? '',
  };
  const first = useRef(params);
  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    call('personalization', first.current, { signal }).then(
      ({ segments }) => setKnown(segments),
      // Without them the offers stand as they came; the gateway has logged it.
      () => undefined,
    );
    return () => controller.abort();
  }, [call, isWanted]);
  if (shown.suggestions !== suggestions) setShown({ suggestions, segments: known });
  return shown.suggestions === suggestions ? shown.segments : known;
}
