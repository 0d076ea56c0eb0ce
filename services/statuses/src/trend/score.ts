/** Computes the scores of trends from counted uses. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { lastDays } from '../core/tag/rules.js'
import { applyPublishers } from '../publisher/index.js'
import { measuredLinks, measuredStatuses, measuredTags, type UsageRow } from './measure.store.js'
import { MIN_STATUS_MARKS, MIN_TAG_ACCOUNTS, STATUS_TRENDS_MS, scoreStatus, scoreUsage } from './rules.js'
import { lockTrends, putTrends, type TrendRow } from './store.js'

/** Maximum number of trends of each kind. */
const MAX_TRENDS = 500

const usageTrends = (kind: 'tag' | 'link', rows: readonly UsageRow[], least: number, now: number): TrendRow[] =>
  rows.flatMap((row): TrendRow[] => {
    const top =
      row.top_score === null || row.top_at === null ? null : { score: row.top_score, at: row.top_at.getTime() }
    const scored = scoreUsage(kind, { today: row.today, yesterday: row.yesterday, top }, least, now)
    if (scored === null) return []
    const { id, language, allowed } = row
    const best = { top_score: scored.top.score, top_at: new Date(scored.top.at) }
    return [{ id, score: scored.score, ...best, language, author_id: null, allowed }]
  })

const statusTrends = async (tx: Tx, now: number): Promise<TrendRow[]> => {
  const rows = await measuredStatuses(tx, {
    since: new Date(now - STATUS_TRENDS_MS),
    now: new Date(now),
    least: MIN_STATUS_MARKS,
    limit: MAX_TRENDS,
  })
  return rows.flatMap(({ marks, created_at, ...row }): TrendRow[] => {
    const score = scoreStatus(marks, created_at.getTime(), now)
    return score === 0 ? [] : [{ ...row, score, top_score: score, top_at: new Date(now) }]
  })
}

/** Scores all candidates and replaces the stored trends. */
export const scoreTrends = async (ctx: Pick<Context, 'db' | 'clock' | 'config' | 'ids'>): Promise<void> => {
  const now = ctx.clock.now()
  const [today = '', yesterday = ''] = lastDays(now, 2)
  const days = { today, yesterday, limit: MAX_TRENDS }
  const leastShares = ctx.config.trendLinkAccounts
  await ctx.db.tx(async (tx) => {
    await lockTrends(tx)
    const tags = await measuredTags(tx, { ...days, least: MIN_TAG_ACCOUNTS })
    await putTrends(tx, 'tag', usageTrends('tag', tags, MIN_TAG_ACCOUNTS, now))
    const measured = await measuredLinks(tx, { ...days, least: leastShares })
    const links = await applyPublishers(tx, measured, () => ctx.ids.next())
    await putTrends(tx, 'link', usageTrends('link', links, leastShares, now))
    await putTrends(tx, 'status', await statusTrends(tx, now))
  })
}
