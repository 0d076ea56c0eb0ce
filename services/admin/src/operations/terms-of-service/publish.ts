/** Publishes terms of service that hold from a day on. */
import { termsOfServicePublish, termsPublished } from '@murmuration/contracts/admin'
import { invalidField } from '@murmuration/contracts/kit'
import { record } from '../../audit-log/index.js'
import { handle } from '../../doors.js'
import { everyTerms, putTerms } from '../../store/terms-of-service.js'
import { termsOf, today } from '../../views/terms-of-service.js'

export const publish = handle(termsOfServicePublish, async (ctx, viewer, { text, effective_date: day }) => {
  if (text.trim() === '') throw invalidField("Text can't be blank")
  // What people agreed to cannot be changed afterwards; a new version gets a new day.
  const known = (await everyTerms(ctx.db)).find((one) => one.day === day)
  if (day < today(ctx) || (known && day <= today(ctx))) throw invalidField('Effective date is too soon')
  const row = { day, text, published_at: ctx.clock.date() }
  await ctx.db.tx(async (tx) => {
    await putTerms(tx, row)
    await ctx.announce(tx, termsPublished, { id: ctx.ids.next(), day })
    await record(ctx, tx, viewer, {
      action: 'publish_terms_of_service',
      targetId: null,
      target: day,
      after: { text },
    })
  })
  return termsOf(ctx, row, await everyTerms(ctx.db))
})
