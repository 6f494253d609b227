/** @jest-environment jest-fixed-jsdom */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { Icon, ICON_NAMES, iconClass } from './Icon.tsx';

const css = ['Icon.module.css', 'Icon.later.module.css']
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('');

describe('icons', () => {
  it.each(ICON_NAMES)('has exactly one mask for %s', (name) => {
    expect(css.match(new RegExp(`^\\.${name}::before \\{\\n  mask-image: url`, 'gm'))).toHaveLength(1);
  });

  it.each([14, 16, 18, 24, 28] as const)('has the size of %i px', (size) => {
    expect(iconClass('search', size)).toBe(`icon search size${size}`);
    expect(css).toContain(`.size${size}::before {\n  inline-size: ${size}px;\n  block-size: ${size}px;`);
  });

  it('is hidden from assistive technology and leaves the name to its control', () => {
    render(
      <button type="button" aria-label="Close">
        <Icon name="close" />
      </button>,
    );
    const [icon] = screen.getByRole('button', { name: 'Close' }).children;
    expect(icon).toHaveAttribute('aria-hidden', 'true');
    expect(icon).toHaveClass('icon', 'close', 'alone');
  });
});
