/** Lifts a mute. */
import { muteRemove, muteRemoved } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { lockPair } from '../../store/lock.js'
import { deleteMute } from '../../store/mute.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const removeMute = handle(muteRemove, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    const gone = await deleteMute(tx, { from: viewer.id, to: id })
    if (gone) await ctx.announce(tx, muteRemoved, gone)
  })
  return relationshipTo(ctx, viewer.id, id)
})
