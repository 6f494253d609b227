import { type ReactNode, createElement } from 'react';
import type { RichText as RichTextTree, RichTextNode } from '@forecourt/upstream/richText';
import styles from './RichText.module.css';

function toReact(node: RichTextNode, key: number): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, attributes, children = [] } = node;
  const props = {
    key,
    ...attributes,
    ...(attributes?.href?.startsWith('https:') && { target: '_blank', rel: 'noopener noreferrer nofollow' }),
    ...(tag === 'img' && { loading: 'lazy' }),
  };
  return createElement(tag, props, ...children.map(toReact));
}

/** Draws text of editors and dealers, which the shell has parsed. */
export function RichText({ content }: { content: RichTextTree }): ReactNode {
  return <div className={styles['text']}>{content.map(toReact)}</div>;
}
