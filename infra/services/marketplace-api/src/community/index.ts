/** The face of the community: people, their alerts, messages and payments. Above the search. */
export { communityRoutes } from './communityRoutes.ts';
export {
  ACTIVITY_OPTIONS,
  type ActivityStore,
  createActivityStore,
  openActivityDatabase,
} from './activity/activityStore.ts';
export { createFirebasePush, serviceAccountSchema, withFirebase } from './alerts/firebasePush.ts';
export { type DigestDeps, createDigest, createPriceDrops } from './alerts/jobs.ts';
export { type PushSender, createWebPush } from './alerts/webPush.ts';
export { emailSamples } from './emailSamples.ts';
export {
  type MailTransport,
  createMailSender,
  createSmtpTransport,
  localOutbox,
  outboxRoutes,
} from './mail/mailSender.ts';
export { type MailContext } from './messages/contactRoutes.ts';
export { type IdTokenVerifier, createCallers, createIdTokenVerifier } from './people/caller.ts';
export { type MailState, createMailStore } from './people/mailStore.ts';
export { PEOPLE_OPTIONS, type People, createPeople, openPeopleDatabase } from './people/people.ts';
