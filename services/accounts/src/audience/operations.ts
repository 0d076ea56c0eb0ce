/**
 * Handlers that return the audience of an account: local followers, inboxes of remote followers, and actor ids for
 * ActivityPub collections.
 */
import {
  audience,
  blockerInboxes,
  followedElsewhere,
  followees,
  relationPage,
  remoteInboxes,
} from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { accountById } from '../core/account/store.js'
import { handle } from '../handlers.js'
import { listOfOwner } from '../list/index.js'
import {
  activeAccounts,
  activeFollowers,
  audiencePage,
  type FollowerRow,
  followedElsewhere as followedAmong,
  followeesOf,
  inboxesOf,
  inboxesOfBlockers,
  listsContaining,
  membersForFeed,
  relationUris,
} from './store.js'

const DAY = 86_400_000
const PAGE = 1_000

/**
 * Adds to each follower the lists of that follower that contain the author. `own`: lists of the author that contain the
 * author.
 */
const withLists = async <Row extends FollowerRow>(
  ctx: Context,
  author: string,
  rows: readonly Row[],
  besides: readonly string[] = [],
) => {
  const lists = await listsContaining(ctx.db, author, [...rows.map((one) => one.id), ...besides])
  const byOwner = Map.groupBy(lists, (list) => list.owner_id)
  const followers = rows.map((one) => ({
    ...one,
    lists: (byOwner.get(one.id) ?? []).map(({ id, exclusive, replies }) => ({ id, exclusive, replies })),
  }))
  return { followers, own: (byOwner.get(author) ?? []).map((list) => list.id) }
}

/**
 * Returns a page of local followers of an author, with the settings that decide whether their feeds get a status of the author. With
 * `about`: returns the accounts in `about` instead.
 */
export const getAudience = handle(audience, async (ctx, _viewer, input) => {
  const { limit = PAGE } = input
  const activeSince = new Date(ctx.clock.now() - input.activeDays * DAY)
  if (input.compact && !input.about && !input.notify) {
    const page = await audiencePage(ctx.db, input.author, {
      after: input.after ?? '0',
      limit,
      activeSince,
      now: ctx.clock.date(),
    })
    const isFirst = input.after === undefined
    const { followers, own } = await withLists(ctx, input.author, page.others ?? [], isFirst ? [input.author] : [])
    return {
      plain: page.plain?.split(',') ?? [],
      followers,
      ...(isFirst ? { own } : {}),
      next: page.size === limit ? page.last : null,
    }
  }
  const rows = input.about
    ? await activeAccounts(ctx.db, input.author, input.about, activeSince)
    : await activeFollowers(ctx.db, input.author, {
        after: input.after ?? '0',
        limit,
        activeSince,
        notify: input.notify,
      })
  const { followers } = await withLists(ctx, input.author, rows)
  return {
    followers,
    next: !input.about && rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  }
})

/**
 * Returns all followees of an account, or the members of one of its lists. The statuses of the returned accounts fill a
 * rebuilt feed.
 */
export const getFollowees = handle(followees, async (ctx, _viewer, { id, list }) => {
  if (list === undefined) return { followees: await followeesOf(ctx.db, id), replies: null }
  const found = await listOfOwner(ctx.db, id, list)
  if (!found) return { followees: [], replies: null }
  return { followees: await membersForFeed(ctx.db, id, list), replies: found.replies_policy }
})

/**
 * Returns a page of distinct inboxes of remote followers, in the order of inbox addresses. Inboxes on servers that the account
 * `unblockedBy` blocks are left out.
 */
export const getInboxes = handle(remoteInboxes, async (ctx, _viewer, { author, unblockedBy, after, limit }) => {
  const found = await inboxesOf(ctx.db, author, { after: after ?? '', limit, unblockedBy })
  return {
    inboxes: found.filter((one) => !one.blocked).map((one) => one.inbox),
    next: found.length === limit ? (found.at(-1)?.inbox ?? null) : null,
  }
})

/** Returns a page of distinct inboxes of remote accounts that block the account, in the order of inbox addresses. */
export const getBlockerInboxes = handle(blockerInboxes, async (ctx, _viewer, { account, after, limit }) => {
  const inboxes = await inboxesOfBlockers(ctx.db, account, { after: after ?? '', limit })
  return { inboxes, next: inboxes.length === limit ? (inboxes.at(-1) ?? null) : null }
})

/**
 * Returns the accounts among `ids` that have a remote follower. Statuses of all other accounts need no delivery to
 * followers.
 */
export const getFollowedElsewhere = handle(followedElsewhere, async (ctx, _viewer, { ids }) => ({
  ids: await followedAmong(ctx.db, ids),
}))

/**
 * Returns a page of actor ids of followers or followees, for ActivityPub collections. The page is empty if the
 * account hides its followers and follows, or is suspended.
 */
export const getUris = handle(relationPage, async (ctx, _viewer, { id, which, page, before, size }) => {
  const account = await accountById(ctx.db, id)
  if (!account) throw notFound()
  const hidden = account.hide_collections === true || account.suspended
  const rows = hidden ? [] : await relationUris(ctx.db, id, which, { number: page, before, size })
  return {
    uris: rows.map((row) => row.uri),
    last: rows.length === size ? (rows.at(-1)?.id ?? null) : null,
    total: account[`${which}_count`],
    hidden,
  }
})
