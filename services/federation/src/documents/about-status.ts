/** First step of handlers for documents of a status: identifies the client, and checks that it may see the status. */
import type { LocalActor } from '@murmuration/contracts/accounts'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import { wantsPage } from '@murmuration/text'
import type { Context } from '../context.js'
import { type Asker, askerOf } from '../core/asker.js'
import { headerText, type Incoming, readIncoming } from '../core/incoming.js'
import { activePerson, visibleStatus } from '../core/local.js'

export interface AboutStatus {
  request: Incoming
  asker: Asker
  person: LocalActor
  status: StatusRecord
  /** True if the client accepts HTML: it is redirected to the page of the status. */
  page: boolean
}

export const aboutStatus = async (ctx: Context, input: unknown): Promise<AboutStatus> => {
  const request = readIncoming(input)
  const page = wantsPage(headerText(request, 'accept'))
  // A browser does not sign its requests. A browser is redirected only for public and unlisted statuses.
  const asker = page ? null : await askerOf(ctx, request)
  const person = await activePerson(ctx, { id: request.param('id'), username: request.param('username') })
  return { request, asker, person, page, status: await visibleStatus(ctx, person, request.param('status'), asker) }
}
