/** Tasks on follows of many local accounts: all of them follow an account, or follows of one account end. */
import { followCreated } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import type { FollowTable, RelationEnd } from '../core/follow/store.js'
import { lockAccount } from '../core/lock.store.js'
import { countFollows } from '../counter/index.js'
import { endFollows, endRequests } from './begin.js'
import { insertFollows, localAccountsAfter, relationsAfter } from './many.store.js'

const CHUNK = 500

export interface FollowAllInput {
  /** Id of the account whose follows change. */
  target: string
  handle: string
}

const follow = async (ctx: Context, tx: Tx, target: string, followers: readonly { id: string; uri: string }[]) => {
  const rows = followers.map((one) => {
    const id = ctx.ids.next()
    return { id, from: one.id, to: target, uri: `${one.uri}#follows/${id}` }
  })
  const made = new Set(await insertFollows(tx, rows, ctx.clock.date()))
  const fresh: RelationEnd[] = rows
    .filter((row) => made.has(row.id))
    .map((row) => ({ ...row, fromLocal: true, toLocal: true }))
  await countFollows(ctx, tx, fresh, 1)
  await ctx.announce(tx, followCreated, ...fresh.map((row) => ({ ...row, accepted: false })))
  return fresh.length
}

export const followKind = taskKind<Context>()<FollowAllInput>({
  name: 'follow-account',
  permission: 'administrator',
  act: ({ handle, target }) => ({ action: 'follow_account', target: handle, targetId: target }),
  async apply(ctx, tx, { input, after, dryRun }) {
    await lockAccount(tx, input.target)
    const found = await localAccountsAfter(tx, input.target, after, CHUNK)
    const wanted = found.filter((one) => one.may_follow)
    const changed = dryRun ? wanted.length : await follow(ctx, tx, input.target, wanted)
    return { next: found.length < CHUNK ? null : (found.at(-1)?.id ?? null), seen: found.length, changed }
  },
})

export interface EndFollowsInput extends FollowAllInput {
  /**
   * `local`: follows of the target by local accounts. `followers`: all follows of the target. `following`: all follows
   * by the target.
   */
  which: 'local' | 'followers' | 'following'
}

/** Parses the cursor of the task: the name of the table, and the row id after which the next page begins. */
const positionOf = (after: string): { table: FollowTable; id: string } => {
  const [table, id = '0'] = after.split(':')
  return { table: table === 'follow_requests' ? 'follow_requests' : 'follows', id }
}

export const endFollowsKind = taskKind<Context>()<EndFollowsInput>({
  name: 'end-follows',
  permission: 'administrator',
  act: ({ handle, target, which }) => ({
    action: 'end_follows_account',
    target: `${handle} (${which})`,
    targetId: target,
  }),
  async apply(ctx, tx, { input, after, dryRun }) {
    const { target, which } = input
    const { table, id } = positionOf(after)
    await lockAccount(tx, target)
    const pairs = await relationsAfter(tx, table, { target, which, after: id, limit: CHUNK })
    if (!dryRun && table === 'follows') await endFollows(ctx, tx, pairs, () => which === 'followers')
    if (!dryRun && table === 'follow_requests')
      await endRequests(ctx, tx, pairs, () => (which === 'followers' ? 'rejected' : 'withdrawn'))
    const last = pairs.length < CHUNK ? null : pairs.at(-1)
    const other = table === 'follows' ? 'follow_requests:0' : null
    return { next: last ? `${table}:${last.id}` : other, seen: pairs.length, changed: pairs.length }
  },
})
