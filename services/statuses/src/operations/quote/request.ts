/** Somebody elsewhere asks whether they may quote a status of this server: the policy answers, and remembers what it said. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { requestQuote } from '@murmuration/contracts/statuses'
import { isHiddenFrom } from '../../changes/meant.js'
import { changeQuote } from '../../changes/quote.js'
import { mayQuote } from '../../changes/quote-consent.js'
import type { Context } from '../../context.js'
import { localStatusId, stampUri } from '../../domain/address.js'
import { isOfOrigin } from '../../domain/remote.js'
import { handle } from '../../doors.js'
import { holdQuote } from '../../store/quote.js'
import { giveStamp, type StampRow } from '../../store/quote-stamp.js'
import { idsByUri, rowOf, type StatusRow } from '../../store/status.js'
import { lockUri } from '../../store/tombstone.js'

/** Notes the approval, and settles the quote if its status is here already. */
const approve = (ctx: Context, actor: string, quoted: StatusRow, uri: string): Promise<StampRow | null> =>
  ctx.db.tx(async (tx) => {
    await lockUri(tx, uri)
    const stamp = await giveStamp(tx, {
      id: ctx.ids.next(),
      quoted_id: quoted.id,
      quoted_author_id: quoted.author_id,
      quoting_uri: uri,
      quoting_author_id: actor,
    })
    const id = (await idsByUri(tx, [uri])).get(uri)
    const [status, quote] = id ? [await rowOf(tx, id), await holdQuote(tx, id)] : [null, null]
    const waits = quote?.state === 'pending' && quote.quoted_id === quoted.id && status?.author_id === actor
    if (stamp && !stamp.revoked && status && waits)
      await changeQuote(ctx, tx, quote, status, quoted, {
        state: 'accepted',
        stamp: stampUri(quoted.uri, stamp.id),
      })
    return stamp
  })

export const request = handle(requestQuote, async (ctx, _viewer, { actor, quoted: quotedUri, status: uri }) => {
  const id = (await idsByUri(ctx.db, [quotedUri])).get(quotedUri) ?? localStatusId(ctx.site.origin, quotedUri)
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
  const stamp = await approve(ctx, actor, quoted, uri)
  if (stamp === null || stamp.revoked) return rejected
  return { outcome: 'accepted' as const, author: quoted.author_id, stamp: stampUri(quoted.uri, stamp.id) }
})
