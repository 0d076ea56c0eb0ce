/** Common start of the documents of a status: identifies the client, and checks that it may see the status. */
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
  /** True for browsers, which are sent to the page. */
  page: boolean
}

export const aboutStatus = async (ctx: Context, input: unknown): Promise<AboutStatus> => {
  const request = readIncoming(input)
  const page = wantsPage(headerText(request, 'accept'))
  // The page of the status shows what its viewer may see. Here the client only gets the address of the page.
  const asker = page ? null : await askerOf(ctx, request)
  const person = await activePerson(ctx, { id: request.param('id'), username: request.param('username') })
  return { request, asker, person, page, status: await visibleStatus(ctx, person, request.param('status'), asker) }
}
