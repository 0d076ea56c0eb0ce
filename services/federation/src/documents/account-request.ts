/** First step of handlers for collections of an account: identifies the client and the account, and checks blocks. */
import type { LocalActor } from '@murmuration/contracts/accounts'
import { isId } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { activeAccount, isBlockedBy, relationshipTo } from '../core/address/local.js'
import { type Incoming, readIncoming } from '../core/signature/incoming.js'
import { type Requester, requesterOf } from '../core/signature/requester.js'

export interface AccountRequest {
  request: Incoming
  requester: Requester
  account: LocalActor
  /** True if the account blocks the requesting actor or its server. A blocked actor gets empty lists. */
  blocked: boolean
}

export const accountRequest = async (ctx: Context, input: unknown): Promise<AccountRequest> => {
  const request = readIncoming(input)
  const requester = await requesterOf(ctx, request)
  const account = await activeAccount(ctx, { id: request.param('id'), username: request.param('username') })
  return { request, requester, account, blocked: isBlockedBy(await relationshipTo(ctx, account.id, requester)) }
}

/** Value of a cursor parameter; undefined if it is absent or not an id. */
export const cursor = (request: Incoming, name: string): string | undefined => {
  const value = request.query.get(name)
  return value !== null && isId(value) ? value : undefined
}
