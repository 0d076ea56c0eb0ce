/** One sender who waits for a decision. */
import { notFound } from '@murmuration/contracts/kit'
import { showRequest } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { requestById } from '../../store/request.js'
import { renderRequests } from '../../views/request.js'

export const show = handle(showRequest, async (ctx, viewer, { id }) => {
  const row = await requestById(ctx.db, viewer.id, id)
  const [text] = row ? await renderRequests(ctx, viewer.id, [row]) : []
  if (text === undefined) throw notFound()
  return text
})
