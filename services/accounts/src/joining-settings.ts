/** Settings of sign-ups. */
import { oneOf, registrationSettings, type Settings, text } from '@murmuration/kernel'

export const joiningSettings = {
  ...registrationSettings,
  emailAllowed: text('EMAIL_DOMAIN_ALLOWLIST', {
    or: '',
    about: 'Domains of e-mail addresses that are accepted at sign-up, separated by |; if set, all others are refused.',
  }),
  emailDenied: text('EMAIL_DOMAIN_DENYLIST', {
    or: '',
    about: 'Domains of e-mail addresses and of mail hosts that are refused at sign-up, separated by |.',
  }),
  emailLookup: oneOf('EMAIL_MX_CHECK', ['auto', 'true', 'false'], {
    or: 'auto',
    about: 'Whether DNS is queried for the mail hosts of a domain; auto is true in production.',
  }),
} satisfies Settings
