/** Handlers that serve actor documents of local accounts and of the instance actor. */

import { writeInstanceActor } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeWholeCollection } from '@murmuration/activitypub/vocabulary/write-collection'
import { showActor, showInstanceActor, showInstanceOutbox } from '@murmuration/contracts/federation'
import { wantsPage } from '@murmuration/text'
import { actorDocument } from '../core/actor/actor.js'
import { accountAtPath } from '../core/address/local.js'
import { headerText, readIncoming } from '../core/signature/incoming.js'
import { requesterOf } from '../core/signature/requester.js'
import { handle } from '../handlers.js'
import { documentResponse, MAX_AGE_SECONDS, openResponse, pageRedirect } from './response.js'

/** `GET /ap/users/:id`: the actor document of an account. */
export const show = handle(showActor, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  const path = { id: request.param('id'), username: request.param('username') }
  if (wantsPage(headerText(request, 'accept'))) return pageRedirect((await accountAtPath(ctx, path)).url)
  const requester = await requesterOf(ctx, request)
  const account = await accountAtPath(ctx, path)
  const document = await actorDocument(ctx, account)
  return documentResponse(request, document, { requester, secure: ctx.self.secure })
})

/** `GET /actor`: the instance actor, served without a signature also if documents require one. */
export const instance = handle(showInstanceActor, async (ctx) => {
  const { publicPem } = await ctx.self.signer()
  const document = writeInstanceActor({
    uri: ctx.self.instanceActor,
    handleDomain: ctx.site.localDomain,
    url: `${ctx.site.origin}/about`,
    sharedInbox: ctx.self.sharedInbox,
    publicKeyPem: publicPem,
  })
  return openResponse(JSON.stringify(document), MAX_AGE_SECONDS.instance)
})

/** `GET /actor/outbox`: an empty collection, because the instance actor has no statuses. */
export const instanceOutbox = handle(showInstanceOutbox, async (ctx) =>
  openResponse(
    JSON.stringify(writeWholeCollection({ uri: `${ctx.self.instanceActor}/outbox`, items: [] })),
    MAX_AGE_SECONDS.instance,
  ),
)
