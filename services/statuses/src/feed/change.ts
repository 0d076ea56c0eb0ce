/** Changes one home feed: removes statuses of an account, adds those of a followed account, and adds own statuses. */
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { feedFromRows } from './from-rows.js'
import { namingAccount, writtenBy } from './naming.store.js'
import { addEntry, allEntries, dropFeeds, type Entry, homeKey, mergeEntries, removeEntries } from './store.js'

/**
 * Removes from a home feed the statuses and boosts of the account `who`, or with `naming` all that name this account.
 */
export const removeAccountFromHome = async (
  ctx: Context,
  owner: string,
  who: string,
  what: 'written' | 'naming',
): Promise<void> => {
  const key = homeKey(owner)
  const { entries, complete } = await allEntries(ctx.redis, key)
  // The rebuild of an incomplete feed may have read the rows before the change, so the incomplete feed is deleted and
  // its rebuild must start again.
  if (!complete) return dropFeeds(ctx.redis, [key])
  const ids = entries.map((entry) => entry.id)
  const gone = new Set(await (what === 'written' ? writtenBy : namingAccount)(ctx.db, ids, who))
  await removeEntries(
    ctx.redis,
    [key],
    entries.filter((entry) => gone.has(entry.id)),
  )
}

/** Adds the latest statuses of a followed account to a home feed, as far back as the feed reaches. */
export const mergeAccountIntoHome = async (ctx: Context, owner: string, followed: string): Promise<void> => {
  const entries = await feedFromRows(ctx, { viewerId: owner, list: null }, limits.feeds.mergedOnFollow, undefined, [
    followed,
  ])
  await mergeEntries(ctx.redis, homeKey(owner), entries, ctx.feedRules)
}

/**
 * Adds an own status to the author's home feed. Errors of Redis are ignored, because the feed is then rebuilt from
 * rows.
 */
export const addToOwnHome = async (ctx: Context, author: string, entry: Entry): Promise<void> => {
  try {
    await addEntry(ctx.redis, [homeKey(author)], entry, ctx.feedRules)
  } catch (error) {
    ctx.log.info({ error }, 'a status was not added to its author’s home feed')
  }
}
