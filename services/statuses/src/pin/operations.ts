/** Handlers of pinned statuses. */
import { fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { addPin, putRemotePin, removePin, statusPinned, statusUnpinned } from '@murmuration/contracts/statuses'
import { showStatus } from '../core/render/show-status.js'
import { countPins, deletePin, insertPin } from '../core/status/pin.store.js'
import { lockIfNotDeleted, rowOf } from '../core/status/store.js'
import { noStatus, visibleStatus } from '../core/visibility/find-status.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { handle } from '../handlers.js'
import { putRemotePin as put } from './remote.js'
import { pinProblem } from './rules.js'

/** Pins an own status to the viewer's profile. */
export const add = handle(addPin, async (ctx, viewer, { id }) => {
  const { status } = await visibleStatus(ctx, viewer.id, id)
  const problem = pinProblem(viewer.id, {
    authorId: status.author_id,
    isReblog: status.reblog_of_id !== null,
    visibility: visibilityOf(status.visibility),
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
    if (!(await lockIfNotDeleted(tx, id))) throw noStatus()
    if ((await insertPin(tx, pin.id, viewer.id, id)) === 0) throw fail('unprocessable', 'Duplicate record')
    if (there >= limits.statuses.maxPinned) throw invalidField('You have already pinned the maximum number of posts')
    await ctx.announce(tx, statusPinned, pin)
  })
  return showStatus(ctx, viewer.id, id)
})

/** Removes a pin from the viewer's profile. */
export const remove = handle(removePin, async (ctx, viewer, { id }) => {
  await visibleStatus(ctx, viewer.id, id)
  const row = await rowOf(ctx.db, id)
  await ctx.db.tx(async (tx) => {
    const pin = await deletePin(tx, viewer.id, id)
    if (pin === null || row === null) return
    const visibility = visibilityOf(row.visibility)
    await ctx.announce(tx, statusUnpinned, { id: pin, account: viewer.id, status: id, uri: row.uri, visibility })
  })
  return showStatus(ctx, viewer.id, id)
})

/** Pins or unpins a status of a remote account. */
export const putRemote = handle(putRemotePin, async (ctx, _viewer, input) => ({ outcome: await put(ctx, input) }))
