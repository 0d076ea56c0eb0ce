/** Letters: mails about a login. Accounts writes them with the change they belong to; notifications sends them. */
import { z } from 'zod'
import { event, internal, operation } from '../kit/index.js'

/**
 * Kinds of e-mails about a login. A link is in `link` of the opened e-mail, every other fact in `facts`.
 *
 * | kind | facts |
 * |---|---|
 * | `confirmation` | – ; the link confirms the address of a fresh login |
 * | `change-confirmation` | – ; goes to the new address, the link confirms it |
 * | `email-changed` | `email`: the new address; goes to the old one |
 * | `password-changed` | – |
 * | `password-reset` | – ; the link leads to the form for a new password |
 * | `welcome` | – ; the person may begin |
 * | `approved` | – ; staff let the person in |
 * | `rejected` | – |
 * | `sign-up-waiting` | `username`, `reason`: to staff, who is asked to decide |
 * | `sign-in` | `ip`, `browser`, `at` (ISO 8601): a sign-in from a new place |
 * | `second-factor-enabled`, `second-factor-disabled` | – |
 * | `recovery-code-used`, `recovery-codes-renewed` | – |
 * | `security-key-added`, `security-key-removed` | `name` |
 * | `account-removed` | – |
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
])
export type LoginMailKind = z.infer<typeof LoginMailKind>

export const loginMailWritten = event('accounts.letter.written', {
  data: z.object({ id: z.string(), kind: LoginMailKind }),
  about: 'A mail about a login waits to be sent; address and secrets are asked for when it goes out.',
})

/** An e-mail as it is sent. */
export const LoginMail = z.object({
  kind: LoginMailKind,
  /** Address as the person gave it. */
  to: z.string(),
  /** Language of the person. */
  locale: z.string(),
  username: z.string(),
  /** The address that does what the letter is about; holds a secret. The same at every opening. */
  link: z.string().nullable(),
  facts: z.record(z.string(), z.string()),
})
export type LoginMail = z.infer<typeof LoginMail>

export const loginMailOpen = operation('accounts.letter.open', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({ letter: LoginMail.nullable() }),
  about: 'A letter with its address and link; null when it no longer makes sense to send it.',
})
