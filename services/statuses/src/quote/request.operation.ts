/** Handlers of quote requests by other servers, and of their decisions about quotes by local statuses. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { requestQuote, respondToQuote } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { quoteAuthorizationUri } from '../core/address/rules.js'
import { insertAuthorization, type QuoteAuthorizationRow } from '../core/quote/authorization.store.js'
import { changeQuote } from '../core/quote/quote.js'
import { endedState } from '../core/quote/rules.js'
import { holdQuote, quotesOf } from '../core/quote/store.js'
import { isOfOrigin } from '../core/status/remote.rules.js'
import { idsByUri, rowOf, type StatusRow } from '../core/status/store.js'
import { lockedHasTombstone, lockUri } from '../core/status/tombstone.store.js'
import { isHiddenFrom } from '../core/visibility/named-status.js'
import { handle } from '../handlers.js'
import { mayQuote } from './consent.js'

/** Stores the authorization of a quote, and accepts a pending quote if its status is stored. */
const approve = (ctx: Context, actor: string, quoted: StatusRow, uri: string): Promise<QuoteAuthorizationRow | null> =>
  ctx.db.tx(async (tx) => {
    await lockUri(tx, uri)
    const authorization = await insertAuthorization(tx, {
      id: ctx.ids.next(),
      quoted_id: quoted.id,
      quoted_author_id: quoted.author_id,
      quoting_uri: uri,
      quoting_author_id: actor,
    })
    const id = (await idsByUri(tx, [uri])).get(uri)
    const [status, quote] = id ? [await rowOf(tx, id), await holdQuote(tx, id)] : [null, null]
    const waits = quote?.state === 'pending' && quote.quoted_id === quoted.id && status?.author_id === actor
    if (authorization && !authorization.revoked && status && waits)
      await changeQuote(ctx, tx, quote, status, quoted, {
        state: 'accepted',
        stamp: quoteAuthorizationUri(quoted.uri, authorization.id),
      })
    return authorization
  })

/**
 * Handles the request of a remote account to quote a local status. The quote policy decides, and an approval is stored.
 */
export const request = handle(requestQuote, async (ctx, _viewer, { actor, quoted: quotedUri, status: uri }) => {
  const id = await idByAddress(ctx, ctx.db, quotedUri)
  const [quoted, { records }] = await Promise.all([
    id === null ? null : rowOf(ctx.db, id),
    ctx.call(accountRecords, { ids: [actor] }),
  ])
  if (!quoted?.local || (await isHiddenFrom(ctx, actor, quoted)))
    return { outcome: 'unknown' as const, author: null, stamp: null }
  const rejected = { outcome: 'rejected' as const, author: quoted.author_id, stamp: null }
  const [who] = records
  if (!who || who.domain === null || who.suspended || !isOfOrigin(uri, who.uri)) return rejected
  if (!(await mayQuote(ctx, actor, quoted))) return rejected
  const authorization = await approve(ctx, actor, quoted, uri)
  if (authorization === null || authorization.revoked) return rejected
  return {
    outcome: 'accepted' as const,
    author: quoted.author_id,
    stamp: quoteAuthorizationUri(quoted.uri, authorization.id),
  }
})

/**
 * Stores the decision of a remote author about a quote by a local status. The decision is accepted only from the quoted
 * author.
 */
export const respond = handle(respondToQuote, async (ctx, _viewer, { actor, status: id, stamp: authorization }) => {
  const refused = { outcome: 'refused' as const }
  const known = (await quotesOf(ctx.db, [id])).get(id)
  if (!known?.quoted_id || known.quoted_author_id !== actor) return refused
  const [status, quoted, { records }] = await Promise.all([
    rowOf(ctx.db, id),
    rowOf(ctx.db, known.quoted_id),
    ctx.call(accountRecords, { ids: [actor] }),
  ])
  const [who] = records
  if (!status?.local || !quoted || !who) return refused
  // The URI of an approval must have the same origin as the actor of its author.
  if (authorization !== null && !isOfOrigin(authorization, who.uri)) return refused
  const changed = await ctx.db.tx(async (tx) => {
    // If the revocation of an approval was received before the approval, the approval has no effect.
    if (authorization !== null && (await lockedHasTombstone(tx, actor, authorization))) return false
    const held = await holdQuote(tx, id)
    if (!held) return false
    const state = authorization === null ? endedState(held.state) : ('accepted' as const)
    return changeQuote(ctx, tx, held, status, quoted, { state, stamp: authorization })
  })
  return { outcome: changed ? ('done' as const) : ('unchanged' as const) }
})
