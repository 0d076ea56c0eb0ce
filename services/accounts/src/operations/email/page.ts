/** People here who can be written to, a page at a time. */
import { emailPage } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { addressedAfter } from '../../store/email.js'

export const pageEmails = handle(emailPage, async (ctx, _viewer, { after, limit }) => {
  const ids = await addressedAfter(ctx.db, after ?? '0', limit)
  return { ids, next: ids.length === limit ? (ids.at(-1) ?? null) : null }
})
