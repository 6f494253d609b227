import type { ReactNode } from 'react';
import type { ChosenRelease } from '../overrides/testerBoot.ts';
import { whyChosen } from './whyChosen.ts';

/** The page's snapshot: the release of each remote and why it is this one. */
export function ReleasesTab({ chosen }: { readonly chosen: readonly ChosenRelease[] }): ReactNode {
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
            <td data-label="Release">{release.version}</td>
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
