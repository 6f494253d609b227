/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { Tabs } from './Tabs.tsx';

const TABS = ['One', 'Two', 'Three'].map((label) => ({
  key: label.toLowerCase(),
  label,
  panel: `Panel ${label}`,
}));

function Example(): ReactNode {
  const [selected, setSelected] = useState('one');
  return <Tabs label="Examples" tabs={TABS} selected={selected} onSelect={setSelected} />;
}

const selectedTab = () => screen.getByRole('tab', { selected: true });

describe('Tabs', () => {
  it('shows one panel, named by its tab, with one tab stop', () => {
    render(<Example />);
    expect(screen.getByRole('tabpanel', { name: 'One' })).toHaveTextContent('Panel One');
    expect(screen.getAllByRole('tab').filter((tab) => tab.tabIndex === 0)).toEqual([selectedTab()]);
  });

  it('keeps the panels of unselected tabs in the document, hidden', () => {
    render(<Example />);
    const hidden = screen.getAllByRole('tabpanel', { hidden: true }).filter((panel) => panel.hidden);
    expect(hidden.map(({ textContent }) => textContent)).toEqual(['Panel Two', 'Panel Three']);
    for (const tab of screen.getAllByRole('tab'))
      expect(document.getElementById(tab.getAttribute('aria-controls')!)).not.toBeNull();
  });

  it('moves and selects with arrows, wrapping at both ends, and with Home and End', async () => {
    render(<Example />);
    selectedTab().focus();
    for (const [key, label] of [
      ['{ArrowRight}', 'Two'],
      ['{End}', 'Three'],
      ['{ArrowRight}', 'One'],
      ['{ArrowLeft}', 'Three'],
      ['{Home}', 'One'],
    ] as const) {
      await userEvent.keyboard(key);
      expect(selectedTab()).toHaveTextContent(label);
      expect(selectedTab()).toHaveFocus();
    }
  });
});
