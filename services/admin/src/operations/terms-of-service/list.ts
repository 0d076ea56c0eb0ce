/** Every version of the terms of service, for staff. */
import { termsOfServiceList } from '@murmuration/contracts/admin'
import { successorOf } from '../../domain/terms-of-service.js'
import { handle } from '../../doors.js'
import { termsDays } from '../../store/terms-of-service.js'
import { today } from '../../views/terms-of-service.js'

export const list = handle(termsOfServiceList, async (ctx) => {
  const all = await termsDays(ctx.db)
  return all.map(({ day, published_at }) => ({
    effective_date: day,
    effective: day <= today(ctx),
    succeeded_by: successorOf(all, day),
    published_at: published_at.toISOString(),
  }))
})
