/** Puts a status of one’s own first on one’s profile. */
import { fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { addPin, statusPinned } from '@murmuration/contracts/statuses'
import { whyNotPinned } from '../../domain/pin.js'
import { visibilityOf } from '../../domain/visibility.js'
import { handle } from '../../doors.js'
import { countPins, insertPin } from '../../store/pin.js'
import { holdAlive, rowOf } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const add = handle(addPin, async (ctx, viewer, { id }) => {
  const { fact } = await visibleStatus(ctx, viewer.id, id)
  const problem = whyNotPinned(viewer.id, {
    authorId: fact.author_id,
    isReblog: fact.reblog_of_id !== null,
    visibility: visibilityOf(fact.visibility),
  })
  if (problem !== null) throw invalidField(problem)
  const row = await rowOf(ctx.db, id)
  if (row === null) throw noStatus()
  const pin = {
    id: ctx.ids.next(),
    account: viewer.id,
    status: id,
    uri: row.uri,
    visibility: visibilityOf(row.visibility),
  }
  await ctx.db.tx(async (tx) => {
    const there = await countPins(tx, viewer.id)
    if (!(await holdAlive(tx, id))) throw noStatus()
    if ((await insertPin(tx, pin.id, viewer.id, id)) === 0) throw fail('unprocessable', 'Duplicate record')
    if (there >= limits.statuses.maxPinned) throw invalidField('You have already pinned the maximum number of posts')
    await ctx.announce(tx, statusPinned, pin)
  })
  return showStatus(ctx, viewer.id, id)
})
