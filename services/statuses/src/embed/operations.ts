/** Handlers of oEmbed, for local statuses and for statuses of other servers. */
import { notFound } from '@murmuration/contracts/kit'
import { showEmbed, showOEmbed } from '@murmuration/contracts/statuses'
import { canonicalAddress } from '@murmuration/text/own-address'
import { localStatusId } from '../core/address/rules.js'
import { rowOf } from '../core/status/store.js'
import { findStatus, visibleStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { readEmbed } from '../preview-card/index.js'
import { oembedOf } from './view.js'

/** oEmbed document of a public or unlisted local status. All other addresses cause the same 404 (A064). */
export const show = handle(showOEmbed, async (ctx, _viewer, { url, ...size }) => {
  const id = localStatusId(ctx.site.origin, canonicalAddress(ctx, url ?? ''))
  const found = id === null ? null : await findStatus(ctx, null, id)
  const row =
    found?.visible && found.status.local && found.status.reblog_of_id === null
      ? await rowOf(ctx.db, found.status.id)
      : null
  const author = row && (await ctx.accountCards.many([row.author_id])).get(row.author_id)
  if (!row?.url || !author) throw notFound('Not Found')
  return oembedOf(row.url, JSON.parse(author), ctx.site, size)
})

/** oEmbed document of a public or unlisted status. For a remote status, its server's own embed is used. */
export const of = handle(showEmbed, async (ctx, viewer, { id, ...size }) => {
  const { original } = await visibleStatus(ctx, viewer?.id ?? null, id)
  const row = original.visibility <= 1 ? await rowOf(ctx.db, original.id) : null
  const author = row && (await ctx.accountCards.many([row.author_id])).get(row.author_id)
  if (!row?.url || !author) throw notFound('Not Found')
  const ours = oembedOf(row.url, JSON.parse(author), ctx.site, size)
  if (row.local) return ours
  const frame = await readEmbed(ctx.web, row.url).catch(() => null)
  if (frame === null) throw notFound('Not Found')
  const provider = new URL(row.url)
  return {
    ...ours,
    provider_name: provider.host,
    provider_url: `${provider.origin}/`,
    html: frame.html,
    width: frame.width || ours.width,
    height: frame.height || null,
  }
})
