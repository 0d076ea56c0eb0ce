/** Operations and events about sign-ups: with an app or a browser, with approval by staff, and by staff and operators themselves. */
import { z } from 'zod'
import { STAFF_PREFIX, staffWrites } from '../admin/staff.js'
import { Token } from '../entities/index.js'
import { app, event, flag, flagOr, internal, operation, post, text, textOrNone } from '../kit/index.js'

/**
 * A text; a value of any other type counts as absent. Therefore a request with an invalid type still gets the error
 * that sign-ups are closed.
 */
const optionalText = (max: number) =>
  z.preprocess(
    (value) => {
      if (typeof value === 'number') return String(value)
      if (typeof value !== 'string') return undefined
      return value.includes('\0') ? '' : value
    },
    z
      .string()
      .transform((value) => value.slice(0, max))
      .optional(),
  )

/** Input of a sign-up, with an app or a browser. */
const application = {
  username: optionalText(10_000),
  email: optionalText(10_000),
  password: optionalText(10_000),
  agreement: flag(),
  locale: optionalText(200),
  reason: optionalText(100_000),
  time_zone: optionalText(200),
  /** Date of birth of the user, `YYYY-MM-DD`. */
  date_of_birth: optionalText(200),
  invite_code: optionalText(200),
}

export const createRegistration = operation('accounts.registration.create', {
  http: post('/api/v1/accounts'),
  viewer: app('write|write:accounts'),
  class: 'login',
  input: z.object(application),
  output: Token,
  errors: ['forbidden', 'unprocessable', 'unavailable'],
  about:
    'Creates an account. Until the address is confirmed, the token permits little more than requesting another confirmation e-mail.',
})

/** Data of the sign-up page, such as whether sign-ups are open. */
export const Opening = z.object({
  /** True when sign-ups are allowed from this IP address, for anyone or with this invitation. */
  open: z.boolean(),
  mode: z.enum(['none', 'approved', 'open']),
  closed_message: z.string(),
  /** True if users can sign in with an external identity provider only, without local passwords. */
  external_only: z.boolean(),
  reason: z.enum(['none', 'optional', 'required']),
  /** Minimum age of users in years; null without one. */
  min_age: z.int().nullable(),
  /** The account that invites the user, if the invitation code is valid. */
  inviter: z.object({ username: z.string(), display_name: z.string() }).nullable(),
  /** True if the given invitation code cannot be used. */
  bad_code: z.boolean(),
})
export type Opening = z.infer<typeof Opening>

export const registrationOpening = operation('accounts.registration.opening', {
  viewer: internal(),
  input: z.object({ invite_code: z.string().max(200).nullable(), ip: z.string().nullable() }),
  output: Opening,
  errors: ['unavailable'],
  about: 'Whether sign-ups are open now, and what the form requires.',
})

export const signUpUser = operation('accounts.registration.sign-up', {
  viewer: internal(),
  class: 'login',
  input: z.object({ ...application, ip: z.string().nullable(), userAgent: z.string().nullable() }),
  output: z.object({ /** Value of the session cookie. */ session: z.string() }),
  errors: ['forbidden', 'unprocessable', 'unavailable'],
  about: 'Creates an account in the browser, and signs in.',
})

export const approveRegistration = operation('accounts.registration.approve', {
  viewer: internal(),
  class: 'write',
  input: z.object({ id: z.string().optional(), ids: z.array(z.string()).max(100).optional() }),
  output: z.object({ /** False if none of the sign-ups was pending. */ changed: z.boolean() }),
  about: 'Approves one or several pending sign-ups.',
})

export const rejectRegistration = operation('accounts.registration.reject', {
  viewer: internal(),
  class: 'write',
  input: z.object({ id: z.string().optional(), ids: z.array(z.string()).max(100).optional() }),
  output: z.object({ /** False if none of the sign-ups was pending. */ changed: z.boolean() }),
  about:
    'Rejects one or several pending sign-ups. The accounts are deleted; their usernames and e-mail addresses become free.',
})

export const Pending = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  ip: z.string().nullable(),
  locale: z.string(),
  reason: z.string().nullable(),
  /** Account id of the inviter; null without one. */
  invited_by: z.string().nullable(),
  confirmed: z.boolean(),
  created_at: z.string(),
})
export const listPendingRegistrations = operation('accounts.registration.list-pending', {
  viewer: internal(),
  input: z.object({
    /** Account id after which the page begins. */
    after: z.string().optional(),
    limit: z.int().min(1).max(200).default(100),
  }),
  output: z.object({ people: z.array(Pending), next: z.string().nullable() }),
  about: 'Sign-ups that wait for approval, oldest first.',
})

export const accountRegistered = event('accounts.account.registered', {
  data: z.object({ id: z.string() }),
  about: 'A local account was created. Its address may still need confirmation, and the sign-up approval by staff.',
})

export const accountJoined = event('accounts.account.joined', {
  data: z.object({ id: z.string(), /** True when staff approved the sign-up. */ approved: z.boolean() }),
  about: 'A local account became usable: its address is confirmed and, where required, staff approved it.',
})

export const createAccountByOperator = operation('accounts.account.create-by-operator', {
  http: post(`${STAFF_PREFIX}/accounts`),
  viewer: staffWrites('manage_user_access', 'accounts'),
  class: 'admin',
  input: z.object({
    username: text(),
    email: text(),
    /** Password of the new account. Only operators may set it; without it, a random one is set. */
    password: textOrNone().optional(),
    /** Name of a role, case-insensitive. Staff needs the permission to manage roles, and cannot assign a role above their own. */
    role: textOrNone().optional(),
    /**
     * True when the e-mail address counts as confirmed. If the address is not confirmed, the account gets a
     * confirmation link by e-mail.
     */
    confirmed: flagOr(false),
  }),
  output: z.object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    /** Password of the new account. Null if staff created the account: its holder gets a link to set a password. */
    password: z.string().nullable(),
  }),
  errors: ['forbidden', 'unprocessable'],
  about: 'Creates a local account. Staff never learns its password.',
})

export const firstAdmin = operation('accounts.account.first-admin', {
  viewer: internal(),
  class: 'write',
  input: z.object({}),
  output: z.object({
    created: z.boolean(),
    username: z.string().optional(),
    email: z.string().optional(),
    password: z.string().optional(),
  }),
  about: 'Creates the first owner account, unless one exists.',
})
