/** One allowed server. */
import { domainAllowShow } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { allowById } from '../../store/domain-allow.js'
import { adminAllow } from '../../views/domain-block.js'

export const show = handle(domainAllowShow, async (ctx, _viewer, { id }) => {
  const row = await allowById(ctx.db, id)
  if (!row) throw notFound()
  return adminAllow(row)
})
