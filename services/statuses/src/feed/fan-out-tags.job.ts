/** The job that adds a public status to the home feeds of some pages of hashtag followers, or removes a deleted status. */
import { fanOutTags as fanOutTagsJob } from '@murmuration/contracts/statuses'
import { queueNextOnce } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { publishToAccounts } from '../core/live/publish.js'
import { rowsOf } from '../core/status/store.js'
import { loadStatuses } from '../core/viewer/loaded-status.store.js'
import { work } from '../handlers.js'
import { followersOfTags } from '../tag/index.js'
import { forPages } from './pages.js'
import { feedStatus } from './receivers.js'
import { addEntry, feedsWithout, homeKey, removeEntries } from './store.js'
import { isSentByTag } from './tag.rules.js'
import { tagReceivers } from './tag-receivers.js'

const PAGE = 1_000

const put = async (ctx: Context, id: string, edited: number | undefined, page: readonly string[]): Promise<void> => {
  const status = (await loadStatuses(ctx.db, null, [id])).get(id)
  if (!status || !isSentByTag(status)) return
  const homes = await tagReceivers(ctx, feedStatus(status, undefined), page)
  const refused = await addEntry(ctx.redis, homes.map(homeKey), { id, original: null }, ctx.feedRules)
  // A feed refuses a status that it contains. Its owner was notified of this status before, but is notified of an edit.
  const notified = edited === undefined ? homes.filter((_, i) => !refused.has(i)) : homes
  await publishToAccounts(ctx, notified, { e: edited === undefined ? 'update' : 'status.update', id })
}

const takeAway = async (ctx: Context, id: string, page: readonly string[]): Promise<void> => {
  const [keys, entry] = [page.map(homeKey), { id, original: null }]
  // A missing feed may have contained the deleted status, so the owner of the feed is informed too.
  const lacking = await feedsWithout(ctx.redis, keys, entry)
  await removeEntries(ctx.redis, keys, [entry])
  const informed = page.filter((_, i) => !lacking.has(i))
  await publishToAccounts(ctx, informed, { e: 'delete', id })
}

export const fanOutTags = work(fanOutTagsJob, async (ctx, job, meta) => {
  const { status: id, edited, gone } = job
  const row = (await rowsOf(ctx.db, [id])).get(id)
  if (!row) return
  const { failed, next } = await forPages(ctx, job, {
    async load(after) {
      const ids = await followersOfTags(ctx.db, row.tags, after, PAGE)
      return { ids, next: ids.length === PAGE ? (ids.at(-1) ?? null) : null }
    },
    handle: ({ ids }) => (gone ? takeAway(ctx, id, ids) : put(ctx, id, edited, ids)),
  })
  const ranges = [...failed, ...(next === null ? [] : [next])]
  const jobs = ranges.map((range) => ({ ...job, ...range }))
  if (jobs.length > 0)
    await ctx.db.tx((tx) => queueNextOnce(tx, fanOutTagsJob, meta, () => ctx.queue(tx, fanOutTagsJob, ...jobs)))
})
