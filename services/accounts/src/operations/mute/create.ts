/** Mutes an account, for a time or for ever. */
import { muteCreate } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { muteAs } from '../../changes/mute.js'
import { handle } from '../../doors.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

/** A hundred years; longer is a mistake, and dates have an end. */
const MOST_SECONDS = 100 * 366 * 86_400

export const createMute = handle(muteCreate, async (ctx, viewer, { id, notifications, duration }) => {
  const target = await otherAccount(ctx, id)
  const seconds = duration ?? 0
  if (seconds < 0 || seconds > MOST_SECONDS) throw invalidField('Duration is not included in the list')
  await ctx.db.tx((tx) => muteAs(ctx, tx, viewer.id, target, { notifications, seconds }))
  return relationshipTo(ctx, viewer.id, id)
})
