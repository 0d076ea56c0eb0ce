/**
 * The job that removes a deleted status from the feeds of some pages of followers. The job of the first page also informs
 * the public streams.
 */
import { audience, type Follower } from '@murmuration/contracts/accounts'
import type { JobData } from '@murmuration/contracts/kit'
import { fanOut, fanOutRemoval, fanOutTags } from '@murmuration/contracts/statuses'
import { queueNextOnce } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { publishToAccounts, publishToLists, publishToPublic } from '../core/live/publish.js'
import { reblogsOf } from '../core/reblog/store.js'
import { mentionedBy } from '../core/status/mention.store.js'
import { rowsOf, type StatusRow } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { work } from '../handlers.js'
import { forPages } from './pages.js'
import { ownLists } from './receivers.js'
import { feedsWithout, homeKey, listKey, removeEntries } from './store.js'
import { isFollowedByTag } from './tag-receivers.js'

/** Runs with the first page only: informs public streams. Returns author, mentioned accounts and the author's own lists. */
const publishFirst = async (ctx: Context, row: StatusRow): Promise<{ accounts: string[]; lists: string[] }> => {
  const { id } = row
  if (row.visibility === 0 && row.reblog_of_id === null)
    publishToPublic(ctx, row, { e: 'delete', id, local: row.local, media: row.has_media })
  const mentioned = (await mentionedBy(ctx.db, [id], { silent: false })).get(id) ?? []
  const lists = row.local ? await ownLists(ctx, row.author_id) : []
  return { accounts: [row.author_id, ...mentioned], lists }
}

/** Maximum number of other boosts of the same status whose fan-out is queued after a boost was deleted. */
const MAX_HIDDEN = 10

const NO_FOLLOWERS: Page = { followers: [], next: null }
type Job = JobData<typeof fanOutRemoval>

/** A page of followers, with the lists that contain the author. */
interface Page {
  plain?: readonly string[]
  followers: readonly Pick<Follower, 'id' | 'lists'>[]
  next: string | null
}

const removeFromPage = async (ctx: Context, job: Job, row: StatusRow | undefined, page: Page): Promise<void> => {
  const { status: id, author, reblogOf, after } = job
  const first = after === undefined && row ? await publishFirst(ctx, row) : { accounts: [], lists: [] }
  const receivers = [...new Set([...first.accounts, ...(page.plain ?? []), ...page.followers.map((one) => one.id)])]
  const lists = [
    ...page.followers.flatMap((one) => one.lists.map((list) => ({ owner: one.id, id: list.id }))),
    ...first.lists.map((list) => ({ owner: author, id: list })),
  ]
  const entry = { id, original: reblogOf }
  const keys = [...receivers.map(homeKey), ...lists.map((list) => listKey(list.owner, list.id))]
  const lacking = await feedsWithout(ctx.redis, keys, entry)
  await removeEntries(ctx.redis, keys, [entry])
  const named = new Set(first.accounts)
  await publishToAccounts(
    ctx,
    receivers.filter((one, i) => named.has(one) || !lacking.has(i)),
    { e: 'delete', id },
  )
  publishToLists(
    ctx,
    lists.flatMap((list, i) => (lacking.has(receivers.length + i) ? [] : [list.id])),
    { e: 'delete', id },
  )
}

export const removeFromFeeds = work(fanOutRemoval, async (ctx, job, meta) => {
  const { status: id, author, reblogOf } = job
  const row = (await rowsOf(ctx.db, [id])).get(id)
  // A direct status is only in the feeds of mentioned accounts. The existence of the status must not be revealed to
  // accounts that are not mentioned.
  const isDirect = row !== undefined && visibilityOf(row.visibility) === 'direct'
  const { failed, next, isFirstDone } = await forPages<Page>(ctx, job, {
    load: async (after) =>
      isDirect
        ? NO_FOLLOWERS
        : ctx.call(audience, { author, after, limit: 1_000, activeDays: ctx.config.activeDays, compact: true }),
    handle: (page, after) => removeFromPage(ctx, { ...job, after }, row, page),
  })
  const ranges = [...failed, ...(next === null ? [] : [next])]
  const toTags =
    job.after === undefined &&
    isFirstDone &&
    row !== undefined &&
    (await isFollowedByTag(ctx, { ...row, silenced: false }))
  // The deleted boost may have hidden other boosts of the same status. Feeds that show another one refuse these boosts.
  // The job of a failed page queues them again, because its feeds still contained the deleted boost.
  const hidden = reblogOf !== null && next === null ? await reblogsOf(ctx.db, reblogOf, MAX_HIDDEN) : []
  if (ranges.length === 0 && !toTags && hidden.length === 0) return
  await ctx.db.tx((tx) =>
    queueNextOnce(tx, fanOutRemoval, meta, async () => {
      await ctx.queue(tx, fanOutRemoval, ...ranges.map((range) => ({ ...job, ...range })))
      if (toTags) await ctx.queue(tx, fanOutTags, { status: id, gone: true })
      await ctx.queue(tx, fanOut, ...hidden.map((one) => ({ status: one.reblog_id, quiet: true })))
    }),
  )
})
