/** Carries local followers, blocks and mutes over to the target of a move, one page per transaction with its events. */
import { followCreated, followRequested, muteCreated } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { beginBlocks } from '../block/index.js'
import type { Context } from '../context.js'
import { type AccountRow, accountsByIds } from '../core/account/store.js'
import { insertRelations } from '../core/follow/store.js'
import { lockAccount } from '../core/lock.store.js'
import { countFollows } from '../counter/index.js'
import { endFollows } from '../follow/index.js'
import { effectOfMove } from './rules.js'
import { copyListMemberships, copyNotes, insertMutes, type MoverRow, moversOf, refusersOf } from './store.js'

/** Maximum number of accounts that one transaction carries over. */
export const CARRY_PAGE = 200

type Changing = Pick<Context, 'announce' | 'invalidations' | 'ids' | 'clock'>

/** Locks both accounts against other changes of relationships. The order of ids, which `lockPair` also uses, prevents deadlocks. */
const lockBoth = async (tx: Tx, a: AccountRow, b: AccountRow): Promise<void> => {
  const [low, high] = BigInt(a.id) < BigInt(b.id) ? [a.id, b.id] : [b.id, a.id]
  await lockAccount(tx, low)
  await lockAccount(tx, high)
}

/** Rows of the new follows of the target. Each new follow has the options of the follow of the old account. */
const rowsOf = (ctx: Changing, movers: readonly MoverRow[], to: string) =>
  movers.map((one) => {
    const id = ctx.ids.next()
    return {
      id,
      from: one.id,
      to,
      fromLocal: true,
      inbox: null,
      uri: `${one.uri}#follows/${id}`,
      at: ctx.clock.date(),
      reblogs: one.reblogs,
      notify: one.notify,
      languages: one.languages,
    }
  })

const followers = async (ctx: Changing, tx: Tx, from: AccountRow, to: AccountRow, after: string) => {
  await lockBoth(tx, from, to)
  const movers = await moversOf(tx, from.id, to, { after, limit: CARRY_PAGE })
  const going = movers.filter((one) => effectOfMove(one, from, to) !== 'stay')
  const begin = async (way: 'follow' | 'ask') => {
    const these = movers.filter((one) => effectOfMove(one, from, to) === way)
    return insertRelations(tx, way === 'follow' ? 'follows' : 'follow_requests', rowsOf(ctx, these, to.id))
  }
  const followed = await begin('follow')
  const requested = await begin('ask')
  await countFollows(ctx, tx, followed, 1)
  await ctx.announce(tx, followCreated, ...followed.map((one) => ({ ...one, accepted: false })))
  await ctx.announce(tx, followRequested, ...requested)
  await copyListMemberships(
    tx,
    going.map((one) => one.id),
    from.id,
    to.id,
  )
  await endFollows(
    ctx,
    tx,
    going.map((one) => ({ from: one.id, to: from.id })),
    () => false,
  )
  return movers
}

const blocks = async (ctx: Changing, tx: Tx, from: AccountRow, to: AccountRow, after: string) => {
  await lockBoth(tx, from, to)
  const page = await refusersOf(tx, 'blocks', from.id, to.id, { after, limit: CARRY_PAGE })
  const free = page.filter((one) => one.free).map((one) => one.id)
  await beginBlocks(ctx, tx, await accountsByIds(tx, free), to)
  return page
}

const mutes = async (ctx: Changing, tx: Tx, from: AccountRow, to: AccountRow, after: string) => {
  await lockBoth(tx, from, to)
  const page = await refusersOf(tx, 'mutes', from.id, to.id, { after, limit: CARRY_PAGE })
  const fresh = await insertMutes(
    tx,
    to.id,
    page
      .filter((one) => one.free)
      .map((one) => ({
        id: ctx.ids.next(),
        from: one.id,
        notifications: one.notifications,
        expiresAt: one.expires_at,
      })),
    ctx.clock.date(),
  )
  await ctx.announce(
    tx,
    muteCreated,
    ...fresh.map((one) => ({ ...one, to: to.id, fromLocal: true, toLocal: to.domain === null, uri: null })),
  )
  return page
}

export type Carried = 'followers' | 'notes' | 'mutes' | 'blocks'

/**
 * The kind of relationship that is carried over after each kind; null after the last one. Mutes come before followers,
 * because mutes are copied only for accounts without a relationship to the target. Blocks come last.
 */
export const carriedAfter: Record<Carried, Carried | null> = {
  notes: 'mutes',
  mutes: 'followers',
  followers: 'blocks',
  blocks: null,
}

export const carriedFirst: Carried = 'notes'

const steps = { followers, mutes, blocks }

/** Carries over one page of relationships. Returns the account id after which the next page begins; null after the last page. */
export const carryOver = async (
  ctx: Changing,
  tx: Tx,
  what: Carried,
  from: AccountRow,
  to: AccountRow,
  after: string,
): Promise<string | null> => {
  if (what === 'notes') return copyNotes(tx, from.id, to.id, { after, limit: CARRY_PAGE })
  const page = await steps[what](ctx, tx, from, to, after)
  return page.length === CARRY_PAGE ? (page.at(-1)?.id ?? null) : null
}
