/** Mutes an account, for a time or for ever. */
import { muteCreate, muteCreated } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { lockPair } from '../../store/lock.js'
import { putMute } from '../../store/mute.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

/** A hundred years; longer is a mistake, and dates have an end. */
const MOST_SECONDS = 100 * 366 * 86_400

export const createMute = handle(muteCreate, async (ctx, viewer, { id, notifications, duration }) => {
  const seconds = duration ?? 0
  if (seconds < 0 || seconds > MOST_SECONDS) throw invalidField('Duration is not included in the list')
  const target = await otherAccount(ctx, id)
  // Muting oneself does nothing.
  if (id !== viewer.id)
    await ctx.db.tx(async (tx) => {
      await lockPair(tx, viewer.id, id)
      const at = ctx.clock.date()
      const pair = { from: viewer.id, to: id }
      const row = await putMute(tx, {
        id: ctx.ids.next(),
        ...pair,
        notifications,
        expiresAt: seconds > 0 ? new Date(at.getTime() + seconds * 1_000) : null,
        at,
      })
      await ctx.announce(tx, muteCreated, {
        id: row.id,
        ...pair,
        fromLocal: true,
        toLocal: target.domain === null,
        uri: null,
        notifications,
      })
    })
  return relationshipTo(ctx, viewer.id, id)
})
