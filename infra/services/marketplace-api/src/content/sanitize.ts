import sanitizeHtml from 'sanitize-html';

const SAFE_TAGS = [
  'h3',
  'h4',
  'p',
  'br',
  'ul',
  'ol',
  'li',
  'strong',
  'em',
  'b',
  'i',
  'a',
  'blockquote',
  'hr',
  'img',
  'span',
  'div',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
];

/**
 * Sanitizes dealers' and editors' HTML: no scripts, styles, frames, forms or
 * event handlers; external links get noopener, and images must be same-origin.
 */
export const sanitize = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: SAFE_TAGS,
    allowedAttributes: {
      a: ['href', 'target', 'rel'],
      img: ['src', 'alt', 'width', 'height', 'loading'],
      th: ['scope'],
    },
    allowedSchemes: ['https', 'mailto', 'tel'],
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^\/(?![/\\])/.test(attribs['src'] ?? ''),
    transformTags: {
      h1: 'h3',
      h2: 'h3',
      a: (tagName, attributes) => ({
        tagName,
        attribs: {
          ...(attributes['href'] !== undefined && { href: attributes['href'] }),
          ...(/^https:/i.test(attributes['href'] ?? '') && {
            target: '_blank',
            rel: 'noopener noreferrer nofollow',
          }),
        },
      }),
    },
  });
