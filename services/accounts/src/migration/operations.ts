/** Handlers of moves to another account. */
import { applyMove, beginMove as beginMoveOperation, cancelMove, showMove } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { announceAccount } from '../core/account/announce.js'
import { type AccountRow, accountById, accountsByIds } from '../core/account/store.js'
import { lockName } from '../core/lock.store.js'
import { accountOfSession, lockAccountOfSession, requirePassword } from '../core/session/signed-in.js'
import { handle } from '../handlers.js'
import { resolveAccount } from '../remote-account/index.js'
import { aliasOf } from './alias.js'
import { beginMove } from './move.js'
import { movedRecently, movedTooRecently, nextMoveAt, refusedTarget, targetFault } from './rules.js'
import { lastMoveAt, movesOf, setMoveTarget } from './store.js'

/** Returns the target of a move, past moves, and the earliest time of the next move. */
export const show = handle(showMove, async (ctx, _viewer, { session }) => {
  const { account, user } = await accountOfSession(ctx, session)
  const moves = await movesOf(ctx.db, account.id)
  const ids = [...moves.map((one) => one.target_id), ...(account.moved_to_id === null ? [] : [account.moved_to_id])]
  const homes = new Map((await accountsByIds(ctx.db, [...new Set(ids)])).map((row) => [row.id, row]))
  const home = homes.get(account.moved_to_id ?? '')
  return {
    moved: home ? aliasOf(home, ctx.site.localDomain) : null,
    followers_count: account.followers_count,
    next_at: nextMoveAt(moves[0]?.created_at ?? null, ctx.clock.now())?.toISOString() ?? null,
    past: moves.flatMap((one) => {
      const row = homes.get(one.target_id)
      return row
        ? [
            {
              ...aliasOf(row, ctx.site.localDomain),
              at: one.created_at.toISOString(),
              followers: one.followers,
              done: one.done_at !== null,
            },
          ]
        : []
    }),
    passwordless: user.password_hash === null,
  }
})

/**
 * Whether the target of a move is local, unknown, or was fetched since `since`. A remote target that was stored earlier
 * must be fetched again first.
 */
const isRead = (home: AccountRow | null, since: number): boolean =>
  home === null || home.domain === null || (home.fetched_at?.getTime() ?? 0) >= since

export const beginMoving = handle(beginMoveOperation, async (ctx, _viewer, { session, acct, password }) => {
  const { account, user } = await accountOfSession(ctx, session)
  await requirePassword(ctx, user, password)
  if (account.moved_to_id !== null) throw fail('conflict', 'This account has moved already')
  const rest = nextMoveAt(await lastMoveAt(ctx.db, account.id), ctx.clock.now())
  if (rest) throw movedTooRecently(rest)
  const readAt = ctx.clock.now()
  const found = await resolveAccount(ctx, { handle: acct.trim().replace(/^@/, ''), refresh: true })
  const fault = isRead(found, readAt) ? targetFault(account, found, ctx) : 'unknown'
  if (fault !== null || !found) throw refusedTarget(fault ?? 'unknown')
  await ctx.db.tx(async (tx) => {
    // The session may have ended, or the account may have been suspended, while the target was fetched.
    await lockAccountOfSession(ctx, tx, session, user)
    // The lock prevents that concurrent requests begin two moves of the account.
    await lockName(tx, `move ${account.id}`)
    const [from, to] = [await accountById(tx, account.id), await accountById(tx, found.id)]
    const again = to && from ? targetFault(from, to, ctx) : 'unknown'
    if (!from || !to || again !== null) throw refusedTarget(again ?? 'unknown')
    if (from.moved_to_id !== null) throw fail('conflict', 'This account has moved already')
    const next = nextMoveAt(await lastMoveAt(tx, from.id), ctx.clock.now())
    if (next) throw movedTooRecently(next)
    await beginMove(ctx, tx, from, to)
  })
  return { target: aliasOf(found, ctx.site.localDomain) }
})

/** Cancels a move, so that the account can be used again. */
export const cancel = handle(cancelMove, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${account.id}`)
    const cancelled = await setMoveTarget(tx, account.id, null)
    if (cancelled) await announceAccount(ctx, tx, account.id, true)
    return { cancelled }
  })
})

/** Applies a move of a remote account. The federation service has verified the activity. */
export const apply = handle(applyMove, (ctx, _viewer, { account, target }) =>
  ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${account}`)
    const rows = await accountsByIds(tx, [account, target])
    const from = rows.find((row) => row.id === account)
    const to = rows.find((row) => row.id === target)
    if (!from || from.domain === null || from.suspended || !to) return { outcome: 'refused' as const }
    if (movedRecently(await lastMoveAt(tx, from.id), ctx.clock.now())) return { outcome: 'moved-recently' as const }
    const fault = targetFault(from, to, ctx)
    if (fault === 'no-alias') return { outcome: 'no-alias' as const }
    if (fault === 'moved') return { outcome: 'target-moved' as const }
    if (fault !== null) return { outcome: 'refused' as const }
    await beginMove(ctx, tx, from, to)
    return { outcome: 'done' as const }
  }),
)
