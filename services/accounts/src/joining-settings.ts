/** Settings of sign-ups. */
import { bool, oneOf, type Settings, text } from '@murmuration/kernel'

export const joiningSettings = {
  singleUser: bool('SINGLE_USER_MODE', { or: false, about: 'The server has a single user; sign-ups are closed.' }),
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
