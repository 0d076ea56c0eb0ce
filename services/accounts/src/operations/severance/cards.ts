/** What a person lost by decisions, by id, for notifications. */
import { severanceCards } from '@murmuration/contracts/accounts'
import { toJson } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { severancesByIds } from '../../store/severance.js'
import { severanceOf } from '../../views/severance.js'

export const getSeveranceCards = handle(severanceCards, async (ctx, _viewer, { viewer, ids }) => {
  const rows = await severancesByIds(ctx.db, viewer, ids)
  return new Map(rows.map((row) => [row.id, toJson(severanceOf(row))]))
})
