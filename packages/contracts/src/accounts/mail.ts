/**
 * Operation and event about e-mails that concern a login. The accounts service creates the e-mails in the transaction
 * of the change; the notifications service sends them.
 */
import { z } from 'zod'
import { anyOf, event, internal, olderNames, operation } from '../kit/index.js'

/**
 * Kinds of e-mails about a login. Secret links are in `link` of the decrypted e-mail, all other data in the values.
 * | kind | values |
 * |---|---|
 * | `confirmation` | – ; the link confirms the address of a new login |
 * | `change-confirmation` | – ; sent to the new address, the link confirms it |
 * | `email-changed` | `email`: the new address; sent to the old one |
 * | `password-changed` | – |
 * | `password-reset` | – ; the link leads to the form for a new password |
 * | `welcome` | – ; the account is ready |
 * | `approved` | – ; staff approved the sign-up |
 * | `rejected` | – |
 * | `sign-up-waiting` | `username`, `reason`: to staff, who approve or reject the sign-up |
 * | `sign-in` | `ip`, `browser`, `at` (ISO 8601): a sign-in from a new address or browser |
 * | `second-factor-enabled`, `second-factor-disabled` | – |
 * | `recovery-code-used`, `recovery-codes-renewed` | – |
 * | `security-key-added`, `security-key-removed` | `name` |
 * | `account-removed` | – |
 * | `token-created` | `expires_at` (ISO 8601); staff created an access token of the account |
 */
export const LoginMailKind = z.enum([
  'confirmation',
  'change-confirmation',
  'email-changed',
  'password-changed',
  'password-reset',
  'welcome',
  'approved',
  'rejected',
  'sign-up-waiting',
  'sign-in',
  'second-factor-enabled',
  'second-factor-disabled',
  'recovery-code-used',
  'recovery-codes-renewed',
  'security-key-added',
  'security-key-removed',
  'account-removed',
  'token-created',
])
export type LoginMailKind = z.infer<typeof LoginMailKind>

export const loginMailWritten = event('accounts.letter.written', {
  data: z.object({ id: z.string(), kind: anyOf(LoginMailKind) }),
  about:
    'An e-mail about a login waits to be sent. Its address and secrets are read by `accounts.letter.open` at that time.',
})

/** A login e-mail with the data for its template. */
export const LoginMail = z.object({
  kind: LoginMailKind,
  /** E-mail address of the recipient, as the user entered it. */
  to: z.string(),
  /** Language of the recipient, in which the e-mail is written. */
  locale: z.string(),
  username: z.string(),
  /** Link with a secret; null without one. The link is the same each time the e-mail is read. */
  link: z.string().nullable(),
  /** Values for the texts of the e-mail. */
  [olderNames.mailValues]: z.record(z.string(), z.string()),
})
export type LoginMail = z.infer<typeof LoginMail>

export const openLoginMail = operation('accounts.letter.open', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({ letter: LoginMail.nullable() }),
  about: 'An e-mail about a login with its address and link; null when it should no longer be sent.',
})
