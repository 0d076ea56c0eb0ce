/** Operations with which staff and operators create accounts and tokens. */
import { z } from 'zod'
import { STAFF_PREFIX, staffWrites } from '../admin/staff.js'
import { flagOr, id, internal, intOrMinusOne, operation, post, text, textOrNone } from '../kit/index.js'
import { limits } from '../limits.js'

export const createAccountByOperator = operation('accounts.account.create-by-operator', {
  http: post(`${STAFF_PREFIX}/accounts`),
  viewer: staffWrites('manage_user_access', 'accounts'),
  class: 'admin',
  input: z.object({
    username: text(200),
    email: text(1_000),
    /** Password of the new account. Only operators may set it; without it, a random one is set. */
    password: textOrNone(1_000).optional(),
    /** Name of a role, case-insensitive. Staff needs the permission to manage roles, and cannot assign a role above their own. */
    role: textOrNone(200).optional(),
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

/** Scope names separated by spaces. */
const Scopes = text(2_000).default('read write follow push')
const CreatedToken = z.object({ token: z.string(), scopes: z.array(z.string()) })

export const createTokenByStaff = operation('accounts.token.create-by-staff', {
  http: post(`${STAFF_PREFIX}/accounts/:id/tokens`),
  // A token can do everything that its account can. Only this permission includes all permissions that the account may have.
  viewer: staffWrites('administrator'),
  class: 'admin',
  creates: true,
  input: z.object({
    id: id(),
    /** Scopes of the token. Only operators may create a token with `admin:` scopes. */
    scopes: Scopes,
    /** Seconds until the token expires; 30 days by default, and one year at most. */
    expires_in: intOrMinusOne(1, limits.oauth.staffTokenMaxSeconds).optional(),
  }),
  output: CreatedToken.extend({
    /** Expiry of the token. Absent if a process of an older release created it, without expiry. */
    expires_at: z.iso.datetime().optional(),
  }),
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about:
    'Creates a token of a local account below the caller’s own role. It has no `admin:` scopes, because the audit log would name the account instead of the caller. It expires. An undo in the audit log revokes it.',
})

export const createTokenByOperator = operation('accounts.token.create-by-operator', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    username: z.string().max(200),
    scopes: Scopes,
  }),
  output: CreatedToken,
  errors: ['not_found', 'unprocessable'],
  about: 'Creates a token of a local account.',
})
