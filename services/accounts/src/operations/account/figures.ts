/** Counts of people for NodeInfo and the instance document. */
import { accountFigures } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import { handle } from '../../doors.js'
import { countDomains, countPeople } from '../../store/figure.js'

export const getFigures = handle(accountFigures, async (ctx) => {
  const ago = (seconds: number) => new Date(ctx.clock.now() - seconds * 1_000)
  const [people, domains] = await Promise.all([
    countPeople(ctx.db, {
      month: ago(limits.instance.activeMonthSeconds),
      halfyear: ago(limits.instance.activeHalfyearSeconds),
    }),
    countDomains(ctx.db),
  ])
  return {
    users: people.users,
    activeMonth: people.active_month,
    activeHalfyear: people.active_halfyear,
    domains,
  }
})
