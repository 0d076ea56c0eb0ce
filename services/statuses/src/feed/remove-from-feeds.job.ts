/**
 * The job that removes a deleted status from the feeds of a page of followers. The job of the first page also informs
 * the public streams.
 */
import { audience } from '@murmuration/contracts/accounts'
import { fanOut, fanOutRemoval } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { publishToAccounts, publishToLists, publishToPublic } from '../core/live/publish.js'
import { reblogsOf } from '../core/reblog/store.js'
import { mentionedBy } from '../core/status/mention.store.js'
import { rowsOf, type StatusRow } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { work } from '../handlers.js'
import { ownLists } from './receivers.js'
import { feedsWithout, homeKey, listKey, removeEntries } from './store.js'
import { queueRemovalByTags } from './tag-receivers.js'

/**
 * Runs with the first page only: informs public streams, and queues the removal from feeds of followers of its hashtags. Returns
 * author, mentioned accounts and the author's own lists.
 */
const publishFirst = async (ctx: Context, row: StatusRow): Promise<{ accounts: string[]; lists: string[] }> => {
  const { id } = row
  if (row.visibility === 0 && row.reblog_of_id === null)
    publishToPublic(ctx, row, { e: 'delete', id, local: row.local, media: row.has_media })
  await queueRemovalByTags(ctx, row)
  const mentioned = (await mentionedBy(ctx.db, [id], { silent: false })).get(id) ?? []
  const lists = row.local ? await ownLists(ctx, row.author_id) : []
  return { accounts: [row.author_id, ...mentioned], lists }
}

/** Maximum number of other boosts of the same status whose fan-out is queued after a boost was deleted. */
const MAX_HIDDEN = 10

/**
 * Queues the fan-out of the oldest other boosts of the same status, at most MAX_HIDDEN, because the deleted boost may
 * have hidden them. Feeds that show another boost of the same status refuse these boosts.
 */
const showHiddenBoosts = async (ctx: Context, gone: string, original: string): Promise<void> => {
  const others = await reblogsOf(ctx.db, original, MAX_HIDDEN)
  await ctx.queues.push(
    fanOut,
    ...others.map((one) => ({ id: `${one.reblog_id}:after:${gone}`, data: { status: one.reblog_id, quiet: true } })),
  )
}

const NO_FOLLOWERS = { plain: [], followers: [], next: null } as const

export const removeFromFeeds = work(fanOutRemoval, async (ctx, { status: id, author, reblogOf, after }) => {
  const row = (await rowsOf(ctx.db, [id])).get(id)
  // A direct status is only in the feeds of mentioned accounts. The existence of the status must not be revealed to
  // accounts that are not mentioned.
  const page =
    row && visibilityOf(row.visibility) === 'direct'
      ? NO_FOLLOWERS
      : await ctx.call(audience, { author, after, limit: 1_000, activeDays: ctx.config.activeDays, compact: true })
  if (page.next !== null)
    await ctx.queues.push(fanOutRemoval, {
      id: `${id}:${page.next}`,
      data: { status: id, author, reblogOf, after: page.next },
    })
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
  if (reblogOf !== null && page.next === null) await showHiddenBoosts(ctx, id, reblogOf)
})
