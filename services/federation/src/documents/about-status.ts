/** First step of handlers for documents of a status: identifies the client, and checks that it may see the status. */
import type { LocalActor } from '@murmuration/contracts/accounts'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import { wantsPage } from '@murmuration/text'
import type { Context } from '../context.js'
import { activeAccount, visibleStatus } from '../core/address/local.js'
import { headerText, type Incoming, readIncoming } from '../core/signature/incoming.js'
import { type Requester, requesterOf } from '../core/signature/requester.js'

export interface AboutStatus {
  request: Incoming
  requester: Requester
  account: LocalActor
  status: StatusRecord
  /** True if the client accepts HTML: it is redirected to the page of the status. */
  page: boolean
}

export const aboutStatus = async (ctx: Context, input: unknown): Promise<AboutStatus> => {
  const request = readIncoming(input)
  const page = wantsPage(headerText(request, 'accept'))
  // A browser does not sign its requests. A browser is redirected only for public and unlisted statuses.
  const requester = page ? null : await requesterOf(ctx, request)
  const account = await activeAccount(ctx, { id: request.param('id'), username: request.param('username') })
  return {
    request,
    requester,
    account,
    page,
    status: await visibleStatus(ctx, account, request.param('status'), requester),
  }
}
