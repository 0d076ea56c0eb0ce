/** Event handlers that queue e-mails without a notification. */
import { loginMailWritten, rolesOf } from '@murmuration/contracts/accounts'
import { termsPublished } from '@murmuration/contracts/admin'
import { archiveReady } from '@murmuration/contracts/federation'
import { mailTermsJob } from '@murmuration/contracts/notifications'
import { scheduledFailed, trendReviewWanted } from '@murmuration/contracts/statuses'
import { processOnce } from '@murmuration/kernel'
import { react } from '../handlers.js'
import { queueMail, queueMails } from './begin.js'

/** Queues an e-mail about a login. The accounts service has stored its content. */
export const onLoginMail = react(loginMailWritten, 'on-letter-written', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, { kind: 'letter', source: `letter:${e.id}`, recipient_id: '0', values: { letter: e.id } }),
  ),
)

/** Queues an e-mail to the account whose archive is ready. */
export const onArchiveReady = react(archiveReady, 'on-archive-ready', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, { kind: 'archive', source: `archive:${e.id}`, recipient_id: e.account, values: {} }),
  ),
)

/** Queues an e-mail to the author of a scheduled status that could not be published. */
export const onScheduledFailed = react(scheduledFailed, 'on-scheduled-failed', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'unpublished',
      source: `unpublished:${e.id}:${e.scheduledAt}`,
      recipient_id: e.account,
      values: { reason: e.reason, at: e.scheduledAt },
    }),
  ),
)

/** Queues the job that e-mails all accounts about new terms of service, page by page. */
export const onTermsPublished = react(termsPublished, 'on-terms-published', async (ctx, e) => {
  await ctx.db.tx((tx) => processOnce(tx, e, () => ctx.queue(tx, mailTermsJob, { terms: e.id, day: e.day })))
})

/** Queues e-mails about new candidates to staff who review trends. */
export const onTrendReviewWanted = react(trendReviewWanted, 'on-trend-review-wanted', async (ctx, e) => {
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_taxonomies' })
  const values = { tags: e.tags, links: e.links, statuses: e.statuses }
  await ctx.db.tx((tx) =>
    queueMails(
      ctx,
      tx,
      accountIds.map((recipient_id) => ({
        kind: 'trends' as const,
        source: `trends:${e.id}:${recipient_id}`,
        recipient_id,
        values,
      })),
    ),
  )
})
