/** The address of a login: whether it is confirmed, confirming it, changing it. */
import { z } from 'zod'
import { get, internal, operation, optional, post, text, textOrNone, user } from '../kit/index.js'

export const emailCheck = operation('accounts.email.check', {
  http: get('/api/v1/emails/check_confirmation'),
  viewer: optional('read|read:accounts', { evenIf: ['unconfirmed', 'unapproved'] }),
  input: z.object({}),
  output: z.boolean(),
  errors: ['unauthenticated'],
  about: 'Whether the address of the signed-in person is confirmed.',
})

export const emailConfirmations = operation('accounts.email.confirmations', {
  http: post('/api/v1/emails/confirmations'),
  viewer: user('write|write:accounts', { evenIf: ['unconfirmed', 'unapproved'] }),
  input: z.object({ /** Another address, while the first one waits. */ email: textOrNone(10_000).optional() }),
  output: z.object({}),
  errors: ['forbidden', 'unprocessable', 'rate_limited'],
  about: 'Sends the confirmation mail again, for the application that signed the person up.',
})

export const emailConfirm = operation('accounts.email.confirm', {
  viewer: internal(),
  class: 'write',
  input: z.object({ token: z.string().max(512) }),
  output: z.object({
    /** `used` for links that were used before, ran out, or never were. */
    state: z.enum(['confirmed', 'waiting', 'changed', 'taken', 'used']),
  }),
  about: 'Confirms an address by the link that was sent there; once.',
})

export const emailResend = operation('accounts.email.resend', {
  viewer: internal(),
  class: 'write',
  input: z.object({ email: z.string().max(1_000) }),
  output: z.object({}),
  about:
    'Sends the confirmation mail again when somebody with this address waits for it; the answer is always the same.',
})

/** State of the e-mail address of the user behind a browser session. */
export const emailState = operation('accounts.email.state', {
  viewer: internal(),
  input: z.object({ session: z.string().max(512) }),
  output: z.object({ email: z.string(), unconfirmed: z.string().nullable(), confirmed: z.boolean() }),
  errors: ['unauthenticated'],
  about: 'The address of the signed-in person, and the one that waits to be confirmed.',
})

export const emailChange = operation('accounts.email.change', {
  viewer: internal(),
  class: 'login',
  input: z.object({
    session: z.string().max(512),
    email: text(10_000),
    /** Current password; not asked for while the first address is unconfirmed. */
    password: z.string().max(2_000).optional(),
  }),
  output: z.object({ /** An unconfirmed login has the new address at once. */ state: z.enum(['sent', 'same']) }),
  errors: ['unauthenticated', 'unprocessable', 'rate_limited'],
  about: 'Asks for another address; it counts when the link that is sent there is followed.',
})

/** Where and how to write to people here. */
export const Addressed = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  locale: z.string(),
  /** False for people who may not act: they get no news, but hear what staff did. */
  usable: z.boolean(),
  /** True for disabled, suspended and memorial logins. False for moved ones. */
  closed: z.boolean(),
})
export type Addressed = z.infer<typeof Addressed>

export const emailPage = operation('accounts.email.page', {
  viewer: internal(),
  input: z.object({ /** Where the page before ended. */ after: z.string().optional(), limit: z.int().max(1_000) }),
  output: z.object({ ids: z.array(z.string()), next: z.string().nullable() }),
  about: 'Account ids of people here with a confirmed address, a page at a time.',
})

export const emailsOf = operation('accounts.email.of', {
  viewer: internal(),
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({ people: z.array(Addressed) }),
  about: 'Confirmed addresses of people here by account id; others are left out.',
})
