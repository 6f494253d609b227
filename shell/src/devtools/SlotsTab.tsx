import type { ReactNode } from 'react';
import type { MeasuredSlot } from '../overrides/testerBoot.ts';
import { slotElementId } from '../page/bootData.ts';
import type { PageRecord } from './record.ts';

const ms = (value: number | undefined) =>
  value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const size = (bytes: number) => (bytes === 0 ? '–' : `${(bytes / 1024).toFixed(1)} KB`);

/** Each slot of the page: who fills it, what it cost on the server, when it became interactive, what went wrong. */
export function SlotsTab({
  slots,
  record,
}: {
  readonly slots: readonly MeasuredSlot[];
  readonly record: PageRecord;
}): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col">Release</th>
          <th scope="col">Criticality</th>
          <th scope="col">Server</th>
          <th scope="col">HTML</th>
          <th scope="col">Interactive at</th>
          <th scope="col">Errors</th>
        </tr>
      </thead>
      <tbody>
        {slots.map(({ slot, remote, version, criticality, failure, ...measured }) => {
          const errors = [
            ...(failure === undefined ? [] : [`server: ${failure}`]),
            ...(record.failures.get(slot) ?? []),
          ];
          return (
            <tr key={slot}>
              <th scope="row">
                <button
                  className="link"
                  onClick={() =>
                    document.getElementById(slotElementId(slot))?.scrollIntoView({ block: 'start' })
                  }
                >
                  {slot}
                </button>
              </th>
              <td data-label="Release">
                {remote === null ? 'the shell' : `${remote} ${version ?? '(no release)'}`}
              </td>
              <td data-label="Criticality">{criticality}</td>
              <td data-label="Server" className="number">
                {ms(measured.ms)}
              </td>
              <td data-label="HTML" className="number">
                {size(measured.bytes)}
              </td>
              <td data-label="Interactive at" className="number">
                {ms(record.interactiveAt.get(slot))}
              </td>
              <td data-label="Errors" className={errors.length > 0 ? 'bad' : undefined}>
                {errors.length === 0 ? 'none' : errors.map((text, at) => <div key={at}>{text}</div>)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
