/** `GET /ap/users/:id/followers_synchronization`: the followers on the server that asks, for that server alone (FEP-8fcf). */

import { originOf } from '@murmuration/activitypub/vocabulary/uri'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeCollection, writePage, writeWholeCollection } from '@murmuration/activitypub/vocabulary/write-collection'
import { followersAt } from '@murmuration/contracts/accounts'
import { showFollowersSynchronisation } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { documentAnswer } from '../../requests/answer.js'
import { isSigned, readIncoming } from '../../requests/incoming.js'
import { signerOf } from '../../requests/signer.js'
import { activePerson } from '../../views/local.js'

/** People in one document. */
const PAGE = 5_000

export const followersSynchronisation = handle(showFollowersSynchronisation, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  if (!isSigned(request)) throw fail('unauthenticated', 'Request not signed')
  const asker = await signerOf(ctx, request, 'outside')
  const person = await activePerson(ctx, { id: request.param('id'), username: request.param('username') })
  const origin = originOf(asker.owner) as string
  const asked = request.query.get('after')
  const after = asked !== null && /^\d{1,18}$/.test(asked) ? asked : '0'
  const { uris, next } = await ctx.call(followersAt, { account: person.id, origin, after, limit: PAGE })
  const uri = actorAddresses(person.uri).synchronisation
  const at = (cursor: string): string => `${uri}?after=${cursor}`
  const document =
    asked !== null
      ? writePage({ uri: at(after), partOf: uri, items: uris, next: next && at(next) })
      : next === null
        ? writeWholeCollection({ uri, items: uris })
        : writeCollection({ uri, first: at('0') })
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
