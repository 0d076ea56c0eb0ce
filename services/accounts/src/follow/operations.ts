/** Handlers that begin, end and list follows. */
import {
  createFollow,
  followersGained,
  listFamiliarFollowers,
  listFollowees,
  listFollowers,
  removeFollow,
  removeFollower,
} from '@murmuration/contracts/accounts'
import { reply } from '@murmuration/contracts/kit'
import { idFloor } from '@murmuration/kernel'
import { accountValues } from '../core/account/cards.js'
import { accountPage } from '../core/account/page.js'
import { accountsByIds } from '../core/account/store.js'
import { otherAccount } from '../core/account/visible-account.js'
import { countFollowersBetween, followPage } from '../core/follow/page.store.js'
import { lockPair } from '../core/lock.store.js'
import { chosenLanguages } from '../core/preference/language.rules.js'
import { relationshipTo } from '../core/relationship/relationship.js'
import { handle } from '../handlers.js'
import { endFollows, endRequests } from './begin.js'
import { familiarFollowers } from './familiar.store.js'
import { followAs } from './follow-as.js'
import { showsFollows } from './visible-lists.js'

/** Follows an account, requests to follow it, or changes the options of a follow. */
export const create = handle(createFollow, async (ctx, viewer, { id, reblogs, notify, languages }) => {
  // For an unknown account, the response is 404 even if the languages are invalid.
  if (languages !== undefined) await otherAccount(ctx, id)
  const given = { reblogs, notify, languages: chosenLanguages(languages) }
  const { outcome, to } = await ctx.db.tx((tx) => followAs(ctx, tx, viewer.id, id, given))
  const relationship = await relationshipTo(ctx, viewer.id, id)
  // Because an unlocked remote account usually accepts at once, the response shows the request as a follow.
  const isAcceptedAtOnce = to.domain !== null && !to.locked
  const shown =
    isAcceptedAtOnce && relationship.requested ? { ...relationship, following: true, requested: false } : relationship
  const changed = outcome === 'follow' || outcome === 'request'
  return reply(shown, changed ? {} : { headers: { 'X-Unchanged': '1' } })
})

/** Ends a follow, or cancels a request. */
export const remove = handle(removeFollow, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  const pair = { from: viewer.id, to: id }
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    await endFollows(ctx, tx, [pair], () => false)
    await endRequests(ctx, tx, [pair], () => 'withdrawn')
  })
  return relationshipTo(ctx, viewer.id, id)
})

/** Accounts that an account follows, newest first. */
export const handleListFollowees = handle(listFollowees, async (ctx, viewer, { id, ...page }) => {
  const account = await otherAccount(ctx, id)
  const me = viewer?.id ?? null
  const shown = page.limit > 0 && (await showsFollows(ctx, account, me))
  // In lists of the viewer's own account, muted and blocked accounts are not hidden.
  const hide = { viewer: me === id ? null : me, at: ctx.clock.date() }
  const rows = shown ? await followPage(ctx.db, id, 'following', page, hide) : []
  return accountPage(ctx, listFollowees.output, page, rows)
})

/** Followers of an account, newest first. */
export const handleListFollowers = handle(listFollowers, async (ctx, viewer, { id, ...page }) => {
  const account = await otherAccount(ctx, id)
  const me = viewer?.id ?? null
  const shown = page.limit > 0 && (await showsFollows(ctx, account, me))
  // In lists of the viewer's own account, muted and blocked accounts are not hidden.
  const hide = { viewer: me === id ? null : me, at: ctx.clock.date() }
  const rows = shown ? await followPage(ctx.db, id, 'followers', page, hide) : []
  return accountPage(ctx, listFollowers.output, page, rows)
})

/** Ends another account's follow of the viewer. */
export const handleRemoveFollower = handle(removeFollower, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    await endFollows(ctx, tx, [{ from: id, to: viewer.id }], () => true)
  })
  return relationshipTo(ctx, viewer.id, id)
})

/** Returns how many present followers of an account began to follow in a period. */
export const gained = handle(followersGained, async (ctx, _viewer, { id, from, to }) => ({
  count: await countFollowersBetween(ctx.db, id, idFloor(from), idFloor(to)),
}))

/** Returns the followers of each requested account whom the viewer follows, in the order of the request. */
export const handleListFamiliarFollowers = handle(listFamiliarFollowers, async (ctx, viewer, { id }) => {
  const known = new Map((await accountsByIds(ctx.db, id)).map((row) => [row.id, row]))
  const accounts = id.flatMap((one) => known.get(one) ?? []).filter((row) => row.usable && !row.suspended)
  const open = accounts.filter((row) => !row.hide_collections).map((row) => row.id)
  const pairs = await familiarFollowers(ctx.db, viewer.id, open)
  const shown = await accountValues(
    ctx,
    pairs.map((pair) => pair.follower_id),
  )
  const byAccount = Map.groupBy(pairs, (pair) => pair.id)
  return accounts.map((account) => ({
    id: account.id,
    accounts: (byAccount.get(account.id) ?? []).flatMap((pair) => shown.get(pair.follower_id) ?? []),
  }))
})
