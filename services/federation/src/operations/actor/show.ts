/** `GET /ap/users/:id`: the actor document of a person. */
import { showActor } from '@murmuration/contracts/federation'
import { wantsPage } from '@murmuration/text'
import { handle } from '../../doors.js'
import { documentAnswer, pageRedirect } from '../../requests/answer.js'
import { askerOf } from '../../requests/asker.js'
import { headerText, readIncoming } from '../../requests/incoming.js'
import { actorDocument } from '../../views/actor.js'
import { localPerson } from '../../views/local.js'

export const show = handle(showActor, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  const path = { id: request.param('id'), username: request.param('username') }
  if (wantsPage(headerText(request, 'accept'))) return pageRedirect((await localPerson(ctx, path)).url)
  const asker = await askerOf(ctx, request)
  const person = await localPerson(ctx, path)
  const document = await actorDocument(ctx, person)
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
