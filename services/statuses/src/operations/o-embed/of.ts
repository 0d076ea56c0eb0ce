/** HTML that shows a public status elsewhere; of one from another server, as that server offers it. */
import { notFound } from '@murmuration/contracts/kit'
import { showEmbed } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { readEmbed } from '../../outside/page.js'
import { rowOf } from '../../store/status.js'
import { oembedOf } from '../../views/o-embed.js'
import { visibleStatus } from '../../views/visible.js'

export const of = handle(showEmbed, async (ctx, viewer, { id, ...room }) => {
  const { proper } = await visibleStatus(ctx, viewer?.id ?? null, id)
  const row = proper.visibility <= 1 ? await rowOf(ctx.db, proper.id) : null
  const author = row && (await ctx.accountCards.many([row.author_id])).get(row.author_id)
  if (!row?.url || !author) throw notFound('Not Found')
  const ours = oembedOf(row.url, JSON.parse(author), ctx.site, room)
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
