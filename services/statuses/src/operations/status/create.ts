/** Writes a status. */
import { reply } from '@murmuration/contracts/kit'
import { createStatus } from '@murmuration/contracts/statuses'
import { compose } from '../../changes/compose.js'
import { createOnce } from '../../changes/create.js'
import { putIntoOwn } from '../../changes/own-feed.js'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { statusOfKey } from '../../store/idempotency.js'
import { showStatus } from '../../views/status.js'

/** The answer to a repeated request: the first status, and no further use of the limits. */
const replay = async (ctx: Context, author: string, id: string) =>
  reply(await showStatus(ctx, author, id), { headers: { 'X-Unchanged': '1' } })

export const create = handle(createStatus, async (ctx, viewer, input, request) => {
  const key = request.idempotencyKey
  const known = key === null ? null : await statusOfKey(ctx.db, viewer.id, key)
  if (known !== null) return replay(ctx, viewer.id, known)
  const composed = await compose(ctx, viewer.id, input, request)
  const { id, replayed } = await createOnce(ctx, viewer.id, composed, key)
  if (replayed) return replay(ctx, viewer.id, id)
  await putIntoOwn(ctx, viewer.id, { id, original: null })
  return showStatus(ctx, viewer.id, id)
})
