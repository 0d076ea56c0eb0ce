/** Handlers with which staff and operators create tokens of local accounts. */
import { createTokenByOperator, createTokenByStaff } from '@murmuration/contracts/accounts'
import { errorText, notFound } from '@murmuration/contracts/kit'
import { userByUsername } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { createToken } from './create.js'

export const createByStaff = handle(createTokenByStaff, (ctx, viewer, { id, scopes, expires_in }) =>
  createToken(ctx, viewer, { account: id, scopes, expiresIn: expires_in }),
)

export const createByOperator = handle(createTokenByOperator, async (ctx, _viewer, { username, scopes }) => {
  const user = await userByUsername(ctx.db, username.trim().replace(/^@/, ''))
  if (!user) throw notFound(errorText('There is no account named {username}', { username: username.trim() }))
  return createToken(ctx, null, { account: user.account_id, scopes })
})
