/** Operations with which staff and operators create tokens of local accounts. */
import { z } from 'zod'
import { STAFF_PREFIX, staffWrites } from '../admin/staff.js'
import { id, internal, intOrMinusOne, operation, post, text } from '../kit/index.js'
import { limits } from '../limits.js'

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
