/** All allowed servers by domain, for operators. */
import { domainAllowFind } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { allowsAfter } from '../../store/domain-allow.js'
import { adminAllowOf } from '../../views/domain-block.js'

const PAGE = 500

export const find = handle(domainAllowFind, async (ctx, _viewer, { after }) => {
  const rows = await allowsAfter(ctx.db, after, PAGE)
  return { allows: rows.map(adminAllowOf), next: rows.length < PAGE ? null : (rows.at(-1)?.domain ?? null) }
})
