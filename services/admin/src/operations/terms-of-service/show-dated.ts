/** The terms of service that hold from one day on. */
import { termsOfServiceAt } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { everyTerms } from '../../store/terms-of-service.js'
import { termsOf } from '../../views/terms-of-service.js'

export const showDated = handle(termsOfServiceAt, async (ctx, _viewer, { date }) => {
  const all = await everyTerms(ctx.db)
  const found = all.find(({ day }) => day === date)
  if (!found) throw notFound()
  return termsOf(ctx, found, all)
})
