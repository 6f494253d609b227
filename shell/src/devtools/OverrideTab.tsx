import type { ReactNode } from 'react';
import { MAX_OVERRIDE_SECONDS, OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/override';
import type { TesterBoot } from '../overrides/testerBoot.ts';
import { whyChosen } from './whyChosen.ts';

const here = () => window.location.pathname + window.location.search;

/** Forms that lead to the shell, as on its own page: what they set it signs, and this page is loaded anew. */
export function OverrideTab({ tester }: { readonly tester: TesterBoot }): ReactNode {
  const overridden = tester.chosen.filter(({ override }) => override !== undefined);
  return (
    <>
      {overridden.map((release) => (
        <form key={release.remote} method="post" action={`${OVERRIDES_PATH}/end`} className="tools">
          <input type="hidden" name="remote" value={release.remote} />
          <input type="hidden" name="returnTo" value={here()} />
          <span>
            <b>{release.remote}</b> {release.version}: {whyChosen(release)[0]}
          </span>
          <button>End</button>
        </form>
      ))}
      <form method="post" action={OVERRIDES_PATH} className="fields">
        <input type="hidden" name="returnTo" value={here()} />
        <label>
          Remote
          <select name="remote">
            {tester.chosen.map(({ remote }) => (
              <option key={remote}>{remote}</option>
            ))}
          </select>
        </label>
        <label>
          Published version
          <input name="version" spellCheck={false} placeholder="1.5.0-rc.1" />
        </label>
        <label>
          or local build at
          <input name="origin" inputMode="url" spellCheck={false} placeholder="http://localhost:5001" />
        </label>
        <label>
          Minutes
          <input
            name="minutes"
            type="number"
            min={1}
            max={MAX_OVERRIDE_SECONDS / 60}
            defaultValue={60}
            required
          />
        </label>
        <button>Override</button>
      </form>
    </>
  );
}
