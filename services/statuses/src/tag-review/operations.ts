/** Handlers for staff to list, review and measure hashtags. */
import type { AdminTag } from '@murmuration/contracts/entities'
import { type Json, notFound, pageReply } from '@murmuration/contracts/kit'
import { listAdminTags, measureTag, showAdminTag, updateAdminTag } from '@murmuration/contracts/statuses'
import { endsOf } from '@murmuration/db'
import { normaliseTag } from '@murmuration/text'
import type { Context } from '../context.js'
import { tagsById } from '../core/tag/store.js'
import { handle } from '../handlers.js'
import { announceTaxonomy, announceUnusable, recordedTaxonomy } from '../taxonomy/index.js'
import { lockTrends, removeTrend, review, reviewedTexts, scoreTrends } from '../trend/index.js'
import { spellingOf } from './rules.js'
import { lockTagName, tagDays, tagPage, tagPlaces, tagTotals, updateTag } from './store.js'

const shown = async (ctx: Context, by: string, id: string): Promise<Json<AdminTag>> => {
  const [text] = await reviewedTexts(ctx, 'tag', by, [id])
  if (text === undefined) throw notFound()
  return text as Json<AdminTag>
}

export const list = handle(listAdminTags, async (ctx, viewer, { name, ...page }) => {
  const ids = await tagPage(ctx.db, name === undefined ? undefined : normaliseTag(name.replace(/^[#＃]/, '')), page)
  const texts = (await reviewedTexts(ctx, 'tag', viewer.id, ids)) as Json<AdminTag>[]
  return pageReply(listAdminTags.output, texts, endsOf(ids, page))
})

export const show = handle(showAdminTag, (ctx, viewer, { id }) => shown(ctx, viewer.id, id))

export const update = handle(updateAdminTag, async (ctx, viewer, { id, display_name, ...decision }) => {
  const scored = await ctx.db.tx(async (tx) => {
    await lockTrends(tx)
    const name = await lockTagName(tx, id)
    if (name === null) throw notFound()
    const display = spellingOf(name, display_name)
    const at = ctx.clock.date()
    const before = await recordedTaxonomy(tx, 'tag', id)
    await updateTag(tx, id, { ...decision, display }, at)
    if (decision.usable === false) await removeTrend(tx, 'tag', id)
    const reviewed = decision.trendable === undefined ? null : await review(tx, 'tag', id, decision.trendable, at)
    if (before) await announceTaxonomy(ctx, tx, viewer, { action: 'update_tag', kind: 'tag', before })
    if (decision.usable !== undefined) await announceUnusable(ctx, tx)
    return reviewed
  })
  if (scored === 'unscored' && decision.trendable === true && decision.usable !== false) await scoreTrends(ctx)
  return shown(ctx, viewer.id, id)
})

/** Uses of hashtags are stored for two weeks. The start of a longer period is moved to 15 days ago. */
const KEPT_MS = 15 * 86_400_000

export const measure = handle(measureTag, async (ctx, _viewer, { id, largest, ...range }) => {
  if ((await tagsById(ctx.db, [id])).length === 0) throw notFound()
  const oldest = new Date(ctx.clock.now() - KEPT_MS).toISOString().slice(0, 10)
  const days = { since: range.since > oldest ? range.since : oldest, until: range.until }
  const [byDay, totals, domains, languages] = await Promise.all([
    tagDays(ctx.db, id, days),
    tagTotals(ctx.db, id, days),
    tagPlaces(ctx.db, id, 'domain', { ...days, largest }),
    tagPlaces(ctx.db, id, 'language', { ...days, largest }),
  ])
  return { days: byDay, ...totals, domains, languages }
})
