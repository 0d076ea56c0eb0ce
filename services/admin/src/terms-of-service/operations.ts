/** Handlers of the terms of service: versions, preview, publication. */
import {
  termsOfServiceAt,
  termsOfServiceList,
  termsOfServiceNow,
  termsOfServicePreview,
  termsOfServicePublish,
  termsOfServiceSource,
  termsPublished,
} from '@murmuration/contracts/admin'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { record } from '../core/audit-log/record.js'
import { handle } from '../handlers.js'
import { successorOf, termsInForce } from './rules.js'
import { everyTerms, putTerms, termsDays } from './store.js'
import { contentOf, termsOf, today } from './view.js'

/** The terms of service that hold, or else those that will. */
export const show = handle(termsOfServiceNow, async (ctx) => {
  const all = await everyTerms(ctx.db)
  const found = termsInForce(all, today(ctx))
  if (!found) throw notFound()
  return termsOf(ctx, found, all)
})

/** The terms of service that hold from one day on. */
export const showDated = handle(termsOfServiceAt, async (ctx, _viewer, { date }) => {
  const all = await everyTerms(ctx.db)
  const found = all.find(({ day }) => day === date)
  if (!found) throw notFound()
  return termsOf(ctx, found, all)
})

/** Every version of the terms of service, for staff. */
export const list = handle(termsOfServiceList, async (ctx) => {
  const all = await termsDays(ctx.db)
  return all.map(({ day, published_at }) => ({
    effective_date: day,
    effective: day <= today(ctx),
    succeeded_by: successorOf(all, day),
    published_at: published_at.toISOString(),
  }))
})

/** The Markdown of one version of the terms of service. */
export const source = handle(termsOfServiceSource, async (ctx, _viewer, { date }) => {
  const found = (await everyTerms(ctx.db)).find(({ day }) => day === date)
  if (!found) throw notFound()
  return { effective_date: found.day, text: found.text }
})

/** The HTML of terms of service before they are published. */
export const preview = handle(termsOfServicePreview, async (ctx, _viewer, { text }) => ({
  content: contentOf(ctx, text),
}))

/** Publishes terms of service that hold from a day on. */
export const publish = handle(termsOfServicePublish, async (ctx, viewer, { text, effective_date: day }) => {
  if (text.trim() === '') throw invalidField("Text can't be blank")
  // Accepted terms cannot be changed afterwards. A new version has a new date.
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
