/** Everybody who keeps apart from somebody named in a status, unless they are very many. */
import { keepersApart } from '@murmuration/contracts/accounts'
import { byViewer } from '../../domain/distance.js'
import { handle } from '../../doors.js'
import { keepersApartFrom } from '../../store/distance.js'

export const getKeepersApart = handle(keepersApart, async (ctx, _viewer, { named }) => {
  const rows = await keepersApartFrom(ctx.db, named, ctx.clock.date())
  return { apart: rows && byViewer(rows) }
})
