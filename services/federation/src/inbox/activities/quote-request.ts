/** QuoteRequest (FEP-044f): a remote account asks to quote a local status. The quote policy of the status decides at once. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '@murmuration/activitypub/vocabulary/json'
import { readNote } from '@murmuration/activitypub/vocabulary/read-note'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { writeQuoteResponse } from '@murmuration/activitypub/vocabulary/write-quote'
import { requestQuote } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { recordsOf, sendActivity } from '../../outbox/index.js'
import { authorizeQuoteRequest } from '../object-authority.rules.js'
import { readEmbeddedCopy } from './create.js'
import { recordInteracted } from './interacted.js'
import { resolveAddresses } from './meaning.js'
import { storeNew } from './note.js'
import { done, ignored, refused } from './outcome.js'
import { type Handler, type Received, statusOf } from './received.js'

/** Stores the embedded quoting status if it is unknown, so that the quoted author can see it at once. */
const storeQuoting = async (
  ctx: Context,
  received: Received<'QuoteRequest'>,
  uri: Uri,
  node: JsonObject,
): Promise<void> => {
  if ((await statusOf(ctx, uri)) !== null) return
  const read = readEmbeddedCopy(ctx, received, node)
  if (read.ok) await storeNew(ctx, read.unstored)
}

/** True if the address names the status with this URI, by the URI itself or by its page. */
const isSame = async (ctx: Context, address: Uri | null, uri: Uri): Promise<boolean> =>
  address === uri || (address !== null && (await resolveAddresses(ctx, [address])).get(address) === uri)

export const quoteRequest: Handler<'QuoteRequest'> = async (ctx, received) => {
  const { activity, actor } = received
  const authorized = authorizeQuoteRequest(activity, ctx.self.ownHosts)
  if (!authorized.ok) return refused(authorized.reason)
  if (authorized.from === 'copy') {
    const read = readNote(authorized.node, { around: activity })
    if (!read.ok) return refused(read.reason)
    if (read.note.quote !== null && !(await isSame(ctx, read.note.quote.uri, activity.object)))
      return refused('quotes-another')
  }
  const decision = await ctx.call(requestQuote, { actor: actor.id, quoted: activity.object, status: authorized.uri })
  const our = decision.author === null ? undefined : (await recordsOf(ctx, [decision.author])).get(decision.author)
  // No response for a hidden status, as for an absent one, so that its existence is not revealed.
  if (decision.outcome === 'unknown' || !our) return ignored('unknown-object')
  await recordInteracted(ctx, actor, [activity.object])
  const verb = decision.outcome === 'accepted' ? 'accepts' : 'rejects'
  // Some servers use one id for all requests, so the response is also named by the quoting status.
  const name = createHash('sha256')
    .update(`${activity.id ?? ''}\n${authorized.uri}`)
    .digest('base64url')
  const request = { id: activity.id, actor: activity.actor, object: activity.object, instrument: authorized.uri }
  await sendActivity(ctx, {
    actorId: our.id,
    seq: ctx.ids.next(),
    activity: writeQuoteResponse({
      id: `${our.uri}#${verb}/quote_requests/${name}`,
      actor: our.uri,
      request,
      stamp: decision.stamp,
    }),
    their: actor,
  })
  if (decision.outcome !== 'accepted') return done('rejected')
  if (authorized.from === 'copy') await storeQuoting(ctx, received, authorized.uri, authorized.node)
  return done()
}
