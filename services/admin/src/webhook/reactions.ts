/** Events that webhooks receive: local accounts, reports, and public or unlisted local statuses. */
import { accountChanged, accountJoined, accountRegistered } from '@murmuration/contracts/accounts'
import { reportChanged, reportFiled } from '@murmuration/contracts/admin'
import type { WebhookEvent } from '@murmuration/contracts/entities'
import { renderByIds, statusCreated, statusEdited } from '@murmuration/contracts/statuses'
import type { Had } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { react, reactAll } from '../doors.js'
import { reportById } from '../store/report.js'
import { moderatedAccounts } from '../views/admin-account.js'
import { showAdminReport } from '../views/admin-report.js'
import { enqueue } from './enqueue.js'

type Cause = Had & { readonly at: number; readonly id: string }

const sendAccount = (ctx: Context, cause: Cause, event: WebhookEvent): Promise<void> =>
  enqueue(ctx, cause, event, async () => {
    const record = (await moderatedAccounts(ctx, [cause.id])).get(cause.id)
    return record ? JSON.stringify(record.account) : null
  })

const sendReport = (ctx: Context, cause: Cause, event: WebhookEvent): Promise<void> =>
  enqueue(ctx, cause, event, async () => {
    const row = await reportById(ctx.db, cause.id)
    return row && showAdminReport(ctx, null, row)
  })

/** Rendered as visitors see it: statuses for followers or for mentioned accounts only are never sent. */
const sendStatus = (ctx: Context, cause: Cause, event: WebhookEvent): Promise<void> =>
  enqueue(ctx, cause, event, async () => {
    const texts = await ctx.call(renderByIds, { viewer: null, ids: [cause.id], place: 'account' })
    return texts.get(cause.id) ?? null
  })

export const onAccountRegistered = react(accountRegistered, 'on-account-registered-webhook', (ctx, e) =>
  sendAccount(ctx, e, 'account.created'),
)
export const onAccountJoined = react(accountJoined, 'on-account-joined-webhook', (ctx, e) =>
  sendAccount(ctx, e, 'account.approved'),
)
export const onAccountChanged = reactAll(accountChanged, 'on-account-changed-webhook', async (ctx, events) => {
  for (const one of events.filter((e) => e.flags.local)) await sendAccount(ctx, one, 'account.updated')
})
export const onReportFiled = react(reportFiled, 'on-report-filed-webhook', (ctx, e) =>
  sendReport(ctx, e, 'report.created'),
)
export const onReportChanged = react(reportChanged, 'on-report-changed-webhook', (ctx, e) =>
  sendReport(ctx, e, 'report.updated'),
)
export const onStatusCreated = reactAll(statusCreated, 'on-status-created-webhook', async (ctx, events) => {
  for (const one of events.filter((e) => e.local)) await sendStatus(ctx, one, 'status.created')
})
export const onStatusEdited = reactAll(statusEdited, 'on-status-edited-webhook', async (ctx, events) => {
  for (const one of events.filter((e) => e.local)) await sendStatus(ctx, one, 'status.updated')
})
