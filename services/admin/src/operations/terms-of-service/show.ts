/** The terms of service that hold, or else those that will. */
import { termsOfServiceNow } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { termsInForce } from '../../domain/terms-of-service.js'
import { handle } from '../../doors.js'
import { everyTerms } from '../../store/terms-of-service.js'
import { termsOf, today } from '../../views/terms-of-service.js'

export const show = handle(termsOfServiceNow, async (ctx) => {
  const all = await everyTerms(ctx.db)
  const found = termsInForce(all, today(ctx))
  if (!found) throw notFound()
  return termsOf(ctx, found, all)
})
