/** HTML that shows a public status of this server elsewhere; everything else is the same "not found" (A064). */
import { notFound } from '@murmuration/contracts/kit'
import { showOEmbed } from '@murmuration/contracts/statuses'
import { localStatusId } from '../../domain/address.js'
import { handle } from '../../doors.js'
import { rowOf } from '../../store/status.js'
import { oembedOf } from '../../views/o-embed.js'
import { findStatus } from '../../views/visible.js'

export const show = handle(showOEmbed, async (ctx, _viewer, { url, ...room }) => {
  const id = localStatusId(ctx.site.origin, url ?? '')
  const found = id === null ? null : await findStatus(ctx, null, id)
  const row =
    found?.visible && found.fact.local && found.fact.reblog_of_id === null ? await rowOf(ctx.db, found.fact.id) : null
  const author = row && (await ctx.accountCards.many([row.author_id])).get(row.author_id)
  if (!row?.url || !author) throw notFound('Not Found')
  return oembedOf(row.url, JSON.parse(author), ctx.site, room)
})
