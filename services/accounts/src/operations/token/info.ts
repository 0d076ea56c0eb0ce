/** The token a request was made with. */
import type { TokenInfo } from '@murmuration/contracts'
import { tokenInfo } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { tokenById } from '../../store/access-token.js'
import { unixSeconds } from '../../views/token.js'

export const showTokenInfo = handle(tokenInfo, async (ctx, viewer, _input, request) => {
  const token = await tokenById(ctx.db, request.caller?.app?.tokenId ?? '0')
  if (!token) throw notFound()
  return {
    resource_owner_id: viewer?.id ?? null,
    scope: token.scopes as TokenInfo['scope'],
    expires_in: null,
    application: { uid: token.client_id },
    created_at: unixSeconds(token.created_at),
  }
})
