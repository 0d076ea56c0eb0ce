/** Settings of sign-ups. */
import { bool, oneOf, type Settings, text } from '@murmuration/kernel'

export const joiningSettings = {
  singleUser: bool('SINGLE_USER_MODE', { or: false, about: 'The server has one person; nobody signs up.' }),
  emailAllowed: text('EMAIL_DOMAIN_ALLOWLIST', {
    or: '',
    about: 'Domains of e-mail addresses that people may sign up with, apart by |; when set, no others.',
  }),
  emailDenied: text('EMAIL_DOMAIN_DENYLIST', {
    or: '',
    about: 'Domains of e-mail addresses, and of mail hosts, that nobody may sign up with, apart by |.',
  }),
  emailLookup: oneOf('EMAIL_MX_CHECK', ['auto', 'true', 'false'], {
    or: 'auto',
    about: 'Whether the name service is asked if a domain takes mail; auto is true in production.',
  }),
} satisfies Settings
