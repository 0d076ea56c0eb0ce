/** Mutes an account for a user. The row and the event are written in the transaction of the caller. */
import { muteCreated } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account/store.js'
import { lockPair } from '../core/lock.store.js'
import { putMute } from './store.js'

/**
 * Mutes `target` for `viewer`. `seconds`: duration, 0 for no limit. An account cannot mute itself: such a call changes
 * nothing.
 */
export const muteAs = async (
  ctx: Pick<Context, 'announce' | 'ids' | 'clock'>,
  tx: Tx,
  viewer: string,
  target: AccountRow,
  { notifications, seconds }: { notifications: boolean; seconds: number },
): Promise<void> => {
  if (target.id === viewer) return
  await lockPair(tx, viewer, target.id)
  const at = ctx.clock.date()
  const pair = { from: viewer, to: target.id }
  const expiresAt = seconds > 0 ? new Date(at.getTime() + seconds * 1_000) : null
  const row = await putMute(tx, { id: ctx.ids.next(), ...pair, notifications, expiresAt, at })
  await ctx.announce(tx, muteCreated, {
    id: row.id,
    ...pair,
    fromLocal: true,
    toLocal: target.domain === null,
    uri: null,
    notifications,
  })
}
