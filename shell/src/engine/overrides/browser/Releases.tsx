import type { ChosenRelease, TesterBoot } from '../universal/testerBoot.ts';
import type { ReactNode } from 'react';
import { MAX_OVERRIDE_SECONDS, OVERRIDES_PATH } from '@forecourt/releases/overridePaths';

/** There are 10,000 buckets; weights are in percent. */
const BUCKETS_PER_PERCENT = 100;

/** Explains why the page uses this release of a remote. */
export function whyChosen({ why, version, canary, refused, override }: ChosenRelease): string[] {
  const reasons: string[] = [];
  if (why === 'override')
    reasons.push(`an override by ${override?.by}${override?.origin ? `, built at ${override.origin}` : ''}`);
  else if (why === 'canary' && canary)
    reasons.push(
      `the canary: bucket ${canary.bucket} is below ${canary.weight * BUCKETS_PER_PERCENT} (${canary.weight} %)`,
    );
  else reasons.push('live');
  if (why === 'live' && canary)
    reasons.push(
      `not the canary ${canary.version}: bucket ${canary.bucket} is not below ${canary.weight * BUCKETS_PER_PERCENT} (${canary.weight} %)`,
    );
  if (override && why !== 'override')
    reasons.push(
      override.failure === undefined
        ? `this browser shows the build at ${override.origin} in its place`
        : `not the override: ${override.failure}`,
    );
  if (refused && refused.version !== version)
    reasons.push(`the last good one: ${refused.version} was refused, ${refused.reason}`);
  return reasons;
}

/** A release as a link to its page in the control room, which leads back here. */
function ReleaseLink({
  room,
  release: { remote, version },
}: {
  room: string;
  release: ChosenRelease;
}): ReactNode {
  const query = new URLSearchParams({ page: window.location.href }).toString();
  return (
    <a href={`${room}/${remote}/${version}?${query}`} target="_blank" rel="noreferrer">
      {version}
    </a>
  );
}

/** The page's snapshot: the release of each remote and why it was chosen. */
export function ReleasesTab({ chosen, room }: Pick<TesterBoot, 'chosen' | 'room'>): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Remote</th>
          <th scope="col">Release</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {chosen.map((release) => (
          <tr key={release.remote}>
            <th scope="row">{release.remote}</th>
            <td data-label="Release">
              {room === undefined ? release.version : <ReleaseLink room={room} release={release} />}
            </td>
            <td>
              {whyChosen(release).map((reason) => (
                <div key={reason}>{reason}</div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const currentUrl = () => window.location.pathname + window.location.search;

/** The forms of the shell's override page; the shell signs the override and redirects back to this page. */
export function OverrideTab({ tester }: { readonly tester: TesterBoot }): ReactNode {
  const overridden = tester.chosen.filter(({ override }) => override !== undefined);
  return (
    <>
      {overridden.map((release) => (
        <form key={release.remote} method="post" action={`${OVERRIDES_PATH}/end`} className="tools">
          <input type="hidden" name="remote" value={release.remote} />
          <input type="hidden" name="returnTo" value={currentUrl()} />
          <span>
            <b>{release.remote}</b> {release.version}: {whyChosen(release)[0]}
          </span>
          <button>End</button>
        </form>
      ))}
      {tester.isLocal ? (
        <AddOverride tester={tester} />
      ) : (
        <p>Another override needs a signed link of its own.</p>
      )}
    </>
  );
}

function AddOverride({ tester }: { readonly tester: TesterBoot }): ReactNode {
  return (
    <form method="post" action={OVERRIDES_PATH} className="fields">
      <input type="hidden" name="returnTo" value={currentUrl()} />
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
  );
}
