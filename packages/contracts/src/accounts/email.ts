/** Operations about the e-mail address of a login: its state, confirmation and change. */
import { z } from 'zod'
import { get, internal, operation, optional, post, text, textOrNone, user } from '../kit/index.js'

export const checkEmail = operation('accounts.email.check', {
  http: get('/api/v1/emails/check_confirmation'),
  viewer: optional('read|read:accounts', { evenIf: ['unconfirmed', 'unapproved'] }),
  input: z.object({}),
  output: z.boolean(),
  errors: ['unauthenticated'],
  about: 'Whether the e-mail address of the signed-in user is confirmed.',
})

export const emailConfirmations = operation('accounts.email.confirmations', {
  http: post('/api/v1/emails/confirmations'),
  viewer: user('write|write:accounts', { evenIf: ['unconfirmed', 'unapproved'] }),
  input: z.object({
    /** Another address to which the confirmation is sent. Allowed only while the user has never confirmed an address. */
    email: textOrNone().optional(),
  }),
  output: z.object({}),
  errors: ['forbidden', 'unprocessable', 'rate_limited', 'unavailable'],
  about: 'Sends the confirmation e-mail again, for the application that created the account.',
})

export const confirmEmail = operation('accounts.email.confirm', {
  viewer: internal(),
  class: 'write',
  input: z.object({ token: z.string().max(512) }),
  output: z.object({
    /**
     * Result of a confirmation link.
     *
     * - `confirmed`: the first address of the user is confirmed.
     * - `waiting`: the first address is confirmed, and staff must approve the sign-up.
     * - `changed`: the new address replaced the previous one.
     * - `taken`: another user confirmed the same address before.
     * - `used`: the link was used before, has expired, or is unknown.
     */
    state: z.enum(['confirmed', 'waiting', 'changed', 'taken', 'used']),
  }),
  about: 'Confirms an address with the token of the link that was sent to it. A token works once.',
})

export const resendEmail = operation('accounts.email.resend', {
  viewer: internal(),
  class: 'write',
  input: z.object({ email: z.string().max(1_000) }),
  output: z.object({}),
  about:
    'Sends the confirmation e-mail again if a user with this address waits for it. The response is the same in every case.',
})

/** Operation that returns the e-mail address of the user of a browser session, and whether it is confirmed. */
export const emailState = operation('accounts.email.state', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512) }),
  output: z.object({ email: z.string(), unconfirmed: z.string().nullable(), confirmed: z.boolean() }),
  errors: ['unauthenticated'],
  about: 'The e-mail address of the signed-in user, and the new address that waits for confirmation.',
})

export const changeEmail = operation('accounts.email.change', {
  viewer: internal(),
  class: 'login',
  input: z.object({
    session: z.string().max(512),
    email: text(),
    /** Current password. Not required while the user has never confirmed an address. */
    password: z.string().max(2_000).optional(),
  }),
  output: z.object({
    /** `sent`: an e-mail was sent. `same`: the requested address is the present one. */
    state: z.enum(['sent', 'same']),
  }),
  errors: ['unauthenticated', 'unprocessable', 'rate_limited', 'unavailable'],
  about: 'Requests a change of the e-mail address. It takes effect when the link sent to the new address is opened.',
})

/** E-mail address and language of a local account. */
export const Addressed = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  locale: z.string(),
  /** False for accounts that may not act. These accounts get no notifications by e-mail, but e-mails about moderation. */
  usable: z.boolean(),
  /** True if the login is disabled or suspended, or the account a memorial. False for accounts that moved. */
  closed: z.boolean(),
})
export type Addressed = z.infer<typeof Addressed>

export const emailPage = operation('accounts.email.page', {
  viewer: internal(),
  input: z.object({ /** `next` of the previous page. */ after: z.string().optional(), limit: z.int().max(1_000) }),
  output: z.object({ ids: z.array(z.string()), next: z.string().nullable() }),
  about: 'Account ids of local users with a confirmed address, in pages.',
})

export const emailsOf = operation('accounts.email.of', {
  viewer: internal(),
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({ people: z.array(Addressed) }),
  about: 'Confirmed addresses of local users by account id; users without one are left out.',
})
