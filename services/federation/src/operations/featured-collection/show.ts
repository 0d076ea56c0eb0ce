/** `GET /ap/users/:id/collections/:collection`: a collection of accounts with who agreed to be in it. */

import { writeFeaturedCollection } from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionSources } from '@murmuration/contracts/accounts'
import { showFeaturedCollection } from '@murmuration/contracts/federation'
import { isId, notFound } from '@murmuration/contracts/kit'
import { wantsPage } from '@murmuration/text'
import { handle } from '../../doors.js'
import { documentAnswer, pageRedirect } from '../../requests/answer.js'
import { askerOf } from '../../requests/asker.js'
import { headerText, readIncoming } from '../../requests/incoming.js'
import { activePerson, isShutOut, standingTo } from '../../views/local.js'

export const show = handle(showFeaturedCollection, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  // A page shows itself what its visitor may see.
  const page = wantsPage(headerText(request, 'accept'))
  const asker = page ? null : await askerOf(ctx, request)
  const person = await activePerson(ctx, { id: request.param('id'), username: request.param('username') })
  const id = request.param('collection') ?? ''
  const [standing, { collections }] = await Promise.all([
    standingTo(ctx, person.id, asker),
    isId(id) ? ctx.call(collectionSources, { ids: [id], viewer: asker?.accountId ?? null }) : { collections: [] },
  ])
  const [source] = collections
  // Hidden and absent are the same answer.
  if (source?.owner !== person.id || isShutOut(standing)) throw notFound()
  return page
    ? pageRedirect(source.url)
    : documentAnswer(request, writeFeaturedCollection(source), { asker, secure: ctx.self.secure })
})
