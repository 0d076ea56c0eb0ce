/** Features a followed account on the viewer's profile. */
import { endorsementCreate } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { putEndorsement } from '../../store/endorsement.js'
import { lockPair } from '../../store/lock.js'
import { livingAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const createEndorsement = handle(endorsementCreate, async (ctx, viewer, { id }) => {
  await livingAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    if (!(await putEndorsement(tx, { from: viewer.id, to: id }, ctx.clock.date())))
      throw invalidField('You must be already following the person you want to endorse')
  })
  return relationshipTo(ctx, viewer.id, id)
})
