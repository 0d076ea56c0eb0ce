/** Queues deliveries to webhooks for events about local accounts, reports, and public or unlisted local statuses. */
import { accountChanged, accountJoined, accountRegistered } from '@murmuration/contracts/accounts'
import { reportChanged, reportFiled } from '@murmuration/contracts/admin'
import type { WebhookEvent } from '@murmuration/contracts/entities'
import { renderByIds, statusCreated, statusEdited } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { moderatedAccounts } from '../core/admin-account.js'
import { reportById } from '../core/report.store.js'
import { react, reactAll } from '../handlers.js'
import { showAdminReport } from '../report/index.js'
import { type Cause, enqueue } from './enqueue.js'

const sendAccounts = (ctx: Context, causes: readonly Cause[], event: WebhookEvent): Promise<void> =>
  enqueue(ctx, causes, event, async (ids) => {
    const records = await moderatedAccounts(ctx, ids)
    return new Map([...records].map(([id, record]) => [id, JSON.stringify(record.account)]))
  })

const sendReport = (ctx: Context, cause: Cause, event: WebhookEvent): Promise<void> =>
  enqueue(ctx, [cause], event, async ([id = '']) => {
    const row = await reportById(ctx.db, id)
    return new Map(row ? [[id, await showAdminReport(ctx, null, row)]] : [])
  })

/**
 * Queues deliveries with statuses as anonymous viewers see them, so that only public and unlisted statuses are sent.
 */
const sendStatuses = (ctx: Context, causes: readonly Cause[], event: WebhookEvent): Promise<void> =>
  enqueue(ctx, causes, event, (ids) => ctx.call(renderByIds, { viewer: null, ids, place: 'account' }))

export const onAccountRegistered = react(accountRegistered, 'on-account-registered-webhook', (ctx, e) =>
  sendAccounts(ctx, [e], 'account.created'),
)
export const onAccountJoined = react(accountJoined, 'on-account-joined-webhook', (ctx, e) =>
  sendAccounts(ctx, [e], 'account.approved'),
)
export const onAccountChanged = reactAll(accountChanged, 'on-account-changed-webhook', (ctx, events) =>
  sendAccounts(
    ctx,
    events.filter((e) => e.flags.local),
    'account.updated',
  ),
)
export const onReportFiled = react(reportFiled, 'on-report-filed-webhook', (ctx, e) =>
  sendReport(ctx, e, 'report.created'),
)
export const onReportChanged = react(reportChanged, 'on-report-changed-webhook', (ctx, e) =>
  sendReport(ctx, e, 'report.updated'),
)
export const onStatusCreated = reactAll(statusCreated, 'on-status-created-webhook', (ctx, events) =>
  sendStatuses(
    ctx,
    events.filter((e) => e.local),
    'status.created',
  ),
)
export const onStatusEdited = reactAll(statusEdited, 'on-status-edited-webhook', (ctx, events) =>
  sendStatuses(
    ctx,
    events.filter((e) => e.local),
    'status.updated',
  ),
)
