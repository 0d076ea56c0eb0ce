/** Reactions that send e-mails without a notification. */
import { loginMailWritten, rolesOf } from '@murmuration/contracts/accounts'
import { termsPublished } from '@murmuration/contracts/admin'
import { archiveReady } from '@murmuration/contracts/federation'
import { mailTermsJob } from '@murmuration/contracts/notifications'
import { scheduledFailed, trendReviewWanted } from '@murmuration/contracts/statuses'
import { once } from '@murmuration/kernel'
import { react } from '../handlers.js'
import { queueMail, queueMails } from './begin.js'

/** Sends an e-mail about a login, which accounts created. */
export const onLoginMail = react(loginMailWritten, 'on-letter-written', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, { kind: 'letter', source: `letter:${e.id}`, recipient_id: '0', facts: { letter: e.id } }),
  ),
)

/** E-mails the account whose archive is ready. */
export const onArchiveReady = react(archiveReady, 'on-archive-ready', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, { kind: 'archive', source: `archive:${e.id}`, recipient_id: e.account, facts: {} }),
  ),
)

/** E-mails the author of a scheduled status that could not be published. */
export const onScheduledFailed = react(scheduledFailed, 'on-scheduled-failed', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'unpublished',
      source: `unpublished:${e.id}:${e.scheduledAt}`,
      recipient_id: e.account,
      facts: { reason: e.reason, at: e.scheduledAt },
    }),
  ),
)

/** E-mails all accounts about new terms of service, in pages. */
export const onTermsPublished = react(termsPublished, 'on-terms-published', async (ctx, e) => {
  await ctx.db.tx((tx) => once(tx, e, () => ctx.queue(tx, mailTermsJob, { terms: e.id, day: e.day })))
})

/** E-mails staff who review trends about new candidates. */
export const onTrendReviewWanted = react(trendReviewWanted, 'on-trend-review-wanted', async (ctx, e) => {
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_taxonomies' })
  const facts = { tags: e.tags, links: e.links, statuses: e.statuses }
  await ctx.db.tx((tx) =>
    queueMails(
      ctx,
      tx,
      accountIds.map((recipient_id) => ({
        kind: 'trends' as const,
        source: `trends:${e.id}:${recipient_id}`,
        recipient_id,
        facts,
      })),
    ),
  )
})
