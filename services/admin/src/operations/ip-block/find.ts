/** All blocks of this kind, for operators: a range of addresses each. */
import { ipBlockFind } from '@murmuration/contracts/admin'
import { rangeOf } from '../../domain/access-block.js'
import { handle } from '../../doors.js'
import { ipBlocksAfter } from '../../store/ip-block.js'
import { ipBlockOf } from '../../views/access-block.js'

const PAGE = 500

export const find = handle(ipBlockFind, async (ctx, _viewer, { after }) => {
  const rows = await ipBlocksAfter(ctx.db, after === '' ? null : rangeOf(after), PAGE)
  return { blocks: rows.map(ipBlockOf), next: rows.length < PAGE ? null : (rows.at(-1)?.ip ?? null) }
})
