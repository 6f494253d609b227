import styles from './cornerButtonClass.later.module.css';

/** Classes of an icon button in the upper corner of the element that it closes or removes. */
export const cornerButtonClass = (ownClass: string | undefined): string =>
  `${styles['cornerButton']} ${ownClass}`;
