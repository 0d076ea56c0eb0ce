/** Operations on terms of service: versions, preview, publication. */
import {
  listTermsOfService,
  previewTermsOfService,
  publishTermsOfService,
  termsOfServiceAt,
  termsOfServiceNow,
  termsOfServiceSource,
  termsPublished,
} from '@murmuration/contracts/admin'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { record } from '../core/audit-log/record.js'
import { handle } from '../handlers.js'
import { successorOf, termsInForce } from './rules.js'
import { everyTerms, putTerms, termsDays } from './store.js'
import { contentOf, termsOf, today } from './view.js'

/** Returns the terms of service in effect; if none are in effect yet, the terms that were announced first. */
export const show = handle(termsOfServiceNow, async (ctx) => {
  const all = await everyTerms(ctx.db)
  const found = termsInForce(all, today(ctx))
  if (!found) throw notFound()
  return termsOf(ctx, found, all)
})

/** Returns the terms of service that take effect on a day. */
export const showDated = handle(termsOfServiceAt, async (ctx, _viewer, { date }) => {
  const all = await everyTerms(ctx.db)
  const found = all.find(({ day }) => day === date)
  if (!found) throw notFound()
  return termsOf(ctx, found, all)
})

/** Lists all versions of the terms of service for staff. */
export const list = handle(listTermsOfService, async (ctx) => {
  const all = await termsDays(ctx.db)
  return all.map(({ day, published_at }) => ({
    effective_date: day,
    effective: day <= today(ctx),
    succeeded_by: successorOf(all, day),
    published_at: published_at.toISOString(),
  }))
})

/** Returns the Markdown of one version of the terms of service. */
export const source = handle(termsOfServiceSource, async (ctx, _viewer, { date }) => {
  const found = (await everyTerms(ctx.db)).find(({ day }) => day === date)
  if (!found) throw notFound()
  return { effective_date: found.day, text: found.text }
})

/** Returns the HTML of unpublished terms of service. */
export const preview = handle(previewTermsOfService, async (ctx, _viewer, { text }) => ({
  content: contentOf(ctx, text),
}))

/** Publishes terms of service with an effective date. */
export const publish = handle(publishTermsOfService, async (ctx, viewer, { text, effective_date: day }) => {
  if (text.trim() === '') throw invalidField("Text can't be blank")
  // Terms in effect cannot be replaced; a new version needs a later date. Announced terms may be replaced until their
  // effective date.
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
