/** How many people were here and joined, week by week. */
import { peopleByWeek } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { weeksOfPeople } from '../../store/figure.js'

export const byWeek = handle(peopleByWeek, async (ctx, _viewer, { mondays }) => ({
  weeks: await weeksOfPeople(
    ctx.db,
    mondays.map((at) => new Date(at)),
  ),
}))
