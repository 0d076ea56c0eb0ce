/** Who of these viewers keeps apart from somebody named in a status, and who follows whom it answers. */
import { feedStandings } from '@murmuration/contracts/accounts'
import { byViewer } from '../../domain/distance.js'
import { handle } from '../../doors.js'
import { distancesBetween, followersAmong } from '../../store/distance.js'

export const getFeedStandings = handle(feedStandings, async (ctx, _viewer, { viewers, named, answers }) => {
  const [distances, following] = await Promise.all([
    distancesBetween(ctx.db, viewers, named, ctx.clock.date()),
    answers === null ? [] : followersAmong(ctx.db, viewers, answers),
  ])
  return { apart: byViewer(distances), following }
})
