/** `GET …/quote_authorizations/:stamp`: an approval of a quote, for whoever may see the quoted status. */

import { writeStamp } from '@murmuration/activitypub/vocabulary/write-quote'
import { showQuoteStamp } from '@murmuration/contracts/federation'
import { isId, notFound } from '@murmuration/contracts/kit'
import { showStamp } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { aboutPerson } from '../../requests/about-person.js'
import { documentAnswer, KEEP } from '../../requests/answer.js'
import { visibleStatus } from '../../views/local.js'

export const stamp = handle(showQuoteStamp, async (ctx, _viewer, input) => {
  const { request, asker, person } = await aboutPerson(ctx, input)
  const id = request.param('stamp') ?? ''
  const { stamp: given } = isId(id) ? await ctx.call(showStamp, { id }) : { stamp: null }
  if (given?.author !== person.id) throw notFound()
  await visibleStatus(ctx, person, given.quoted, asker)
  const document = writeStamp({
    uri: `${person.uri}/quote_authorizations/${id}`,
    author: person.uri,
    status: given.statusUri,
    quoted: given.quotedUri,
  })
  return documentAnswer(request, document, { asker, secure: ctx.self.secure, seconds: KEEP.stamp })
})
