import { type ReactNode, createElement, useMemo } from 'react';
import { type RichNode, parseRichText } from './parseRichText.ts';
import styles from './RichText.module.css';

function toReact(node: RichNode, key: number): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, href, children } = node;
  if (tag === 'br') return <br key={key} />;
  const link = href && {
    href,
    ...(href.startsWith('/') ? {} : { target: '_blank', rel: 'noopener noreferrer' }),
  };
  return createElement(tag, { key, ...link }, ...children.map(toReact));
}

/** Renders HTML from editors as React elements. */
export function RichText({ html }: { html: string }): ReactNode {
  const nodes = useMemo(() => parseRichText(html), [html]);
  return <div className={styles['text']}>{nodes.map(toReact)}</div>;
}
