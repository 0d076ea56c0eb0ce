/** The Markdown of one version of the terms of service. */
import { termsOfServiceSource } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { everyTerms } from '../../store/terms-of-service.js'

export const source = handle(termsOfServiceSource, async (ctx, _viewer, { date }) => {
  const found = (await everyTerms(ctx.db)).find(({ day }) => day === date)
  if (!found) throw notFound()
  return { effective_date: found.day, text: found.text }
})
