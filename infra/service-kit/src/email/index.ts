export { Action, Email, EmailLink, Lines, Note, Paragraph, Quote } from './Email.ts';
export { renderEmail, type RenderedEmail } from './renderEmail.ts';
export { emailPreviews, type EmailSample } from './emailPreviews.ts';
