/** `GET /ap/users/:id/followers_synchronization`: the followers on the server that asks, for that server alone (FEP-8fcf). */
import { followersAt } from '@murmuration/contracts/accounts'
import { showFollowersSynchronisation } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { documentAnswer } from '../../requests/answer.js'
import { isSigned, readIncoming } from '../../requests/incoming.js'
import { signerOf } from '../../requests/signer.js'
import { activePerson } from '../../views/local.js'
import { originOf } from '../../vocabulary/uri.js'
import { actorAddresses } from '../../vocabulary/write-actor.js'
import { writeWholeCollection } from '../../vocabulary/write-collection.js'

export const followersSynchronisation = handle(showFollowersSynchronisation, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  if (!isSigned(request)) throw fail('unauthenticated', 'Request not signed')
  const asker = await signerOf(ctx, request, 'outside')
  const person = await activePerson(ctx, { id: request.param('id'), username: request.param('username') })
  const origin = originOf(asker.owner) as string
  const { uris } = await ctx.call(followersAt, { account: person.id, origin })
  const uri = actorAddresses(person.uri).synchronisation
  return documentAnswer(request, writeWholeCollection({ uri, items: uris }), { asker, secure: ctx.self.secure })
})
