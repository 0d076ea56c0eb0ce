/** QuoteRequest: somebody asks to quote a status of ours; the policy of its author answers at once. */
import { createHash } from 'node:crypto'
import { requestQuote } from '@murmuration/contracts/statuses'
import { recordsOf } from '../delivery/audience.js'
import { tellDeed } from '../delivery/deed.js'
import { judgeQuoteRequest } from '../domain/object-authority.js'
import { readNote } from '../vocabulary/read-note.js'
import { writeQuoteAnswer } from '../vocabulary/write-quote.js'
import { done, ignored, refused } from './outcome.js'
import type { Handler } from './received.js'

export const quoteRequest: Handler<'QuoteRequest'> = async (ctx, { activity, actor }) => {
  const judged = judgeQuoteRequest(activity, ctx.self.ownHosts)
  if (!judged.ok) return refused(judged.reason)
  if (judged.from === 'copy') {
    const read = readNote(judged.node, { around: activity })
    if (!read.ok) return refused(read.reason)
    if (read.note.quote !== null && read.note.quote.uri !== activity.object) return refused('quotes-another')
  }
  const asked = await ctx.call(requestQuote, { actor: actor.id, quoted: activity.object, status: judged.uri })
  const our = asked.author === null ? undefined : (await recordsOf(ctx, [asked.author])).get(asked.author)
  // Hidden and absent are the same answer: none.
  if (asked.outcome === 'unknown' || !our) return ignored('unknown-object')
  const verb = asked.outcome === 'accepted' ? 'accepts' : 'rejects'
  const name = createHash('sha256')
    .update(activity.id ?? judged.uri)
    .digest('base64url')
  const request = { id: activity.id, actor: activity.actor, object: activity.object, instrument: judged.uri }
  await tellDeed(ctx, {
    actorId: our.id,
    seq: ctx.ids.next(),
    activity: writeQuoteAnswer({
      id: `${our.uri}#${verb}/quote_requests/${name}`,
      actor: our.uri,
      request,
      stamp: asked.stamp,
    }),
    their: actor,
  })
  return done(asked.outcome === 'accepted' ? null : 'rejected')
}
