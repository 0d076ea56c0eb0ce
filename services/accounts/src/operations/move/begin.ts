/** A person moves: the new home is read where it lives, and must name this account. */
import { moveOut } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { beginMove } from '../../changes/move.js'
import { homeFault, movedTooRecently, nextMoveAt, refusedHome } from '../../domain/move.js'
import { handle } from '../../doors.js'
import { resolveAccount } from '../../outside/resolve-account.js'
import { type AccountRow, accountById } from '../../store/account.js'
import { lockName } from '../../store/lock.js'
import { lastMoveAt } from '../../store/move.js'
import { aliasOf } from '../../views/alias.js'
import { accountOfSession } from '../../views/session-account.js'
import { mustProve } from '../../views/signed-in.js'

/** What was known of a home elsewhere before does not count: only what its server says now. */
const isRead = (home: AccountRow | null, since: number): boolean =>
  home === null || home.domain === null || (home.fetched_at?.getTime() ?? 0) >= since

export const beginMoving = handle(moveOut, async (ctx, _viewer, { session, acct, password }) => {
  const { account, person } = await accountOfSession(ctx, session)
  await mustProve(ctx, person, password)
  if (account.moved_to_id !== null) throw fail('conflict', 'This account has moved already')
  const rest = nextMoveAt(await lastMoveAt(ctx.db, account.id), ctx.clock.now())
  if (rest) throw movedTooRecently(rest)
  const readAt = ctx.clock.now()
  const found = await resolveAccount(ctx, { handle: acct.trim().replace(/^@/, ''), refresh: true })
  const fault = isRead(found, readAt) ? homeFault(account, found) : 'unknown'
  if (fault !== null || !found) throw refusedHome(fault ?? 'unknown')
  await ctx.db.tx(async (tx) => {
    // Two clicks at once make one move.
    await lockName(tx, `move ${account.id}`)
    const [from, to] = [await accountById(tx, account.id), await accountById(tx, found.id)]
    const again = to && from ? homeFault(from, to) : 'unknown'
    if (!from || !to || again !== null) throw refusedHome(again ?? 'unknown')
    if (from.moved_to_id !== null) throw fail('conflict', 'This account has moved already')
    const next = nextMoveAt(await lastMoveAt(tx, from.id), ctx.clock.now())
    if (next) throw movedTooRecently(next)
    await beginMove(ctx, tx, from, to)
  })
  return { target: aliasOf(found, ctx.site.localDomain) }
})
