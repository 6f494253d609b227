import { describe, expect, it } from '@jest/globals';
import { replaceSection } from './markdown.ts';

describe('replaceSection', () => {
  it('appends a section that is missing', () => {
    expect(replaceSection('# Results', 'Search', 'fast\n')).toBe('# Results\n\n## Search\n\nfast\n');
  });

  it('replaces one section and keeps the others and their order', () => {
    const before = '# Results\n\n## Page\n\nold\n\n### Detail\n\nold too\n\n## Search\n\nfast\n';
    expect(replaceSection(before, 'Page', 'new')).toBe('# Results\n\n## Page\n\nnew\n\n## Search\n\nfast\n');
  });

  it('changes nothing when it replaces a section with itself', () => {
    const once = replaceSection('# Results\n\n## Page\n\nold\n', 'Search', 'fast');
    expect(replaceSection(once, 'Search', 'fast')).toBe(once);
  });
});
