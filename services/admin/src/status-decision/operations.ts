/** The operation with which staff acts on the statuses of a report. */
import { actOnReportedStatuses } from '@murmuration/contracts/admin'
import { fail, notFound } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import { moderatedAccount } from '../core/admin-account.js'
import { reportById } from '../core/report.store.js'
import { handle } from '../handlers.js'
import { showStrikes } from '../strike/index.js'
import { actionText } from '../warning-preset/index.js'
import { actOnStatuses } from './act.js'
import { statusActionOf } from './rules.js'

export const act = handle(actOnReportedStatuses, async (ctx, viewer, input) => {
  const report = await reportById(ctx.db, input.id)
  if (!report) throw notFound()
  const target = await moderatedAccount(ctx, report.target_account_id)
  if (!overrides(viewer.position, target.position)) throw fail('forbidden', 'This action is not allowed')
  const action = statusActionOf(input.type)
  const text = await actionText(ctx, input)
  const wanted = { action, ids: input.status_ids ?? null, text, notify: input.send_email_notification }
  const [shown] = await showStrikes(ctx, [await actOnStatuses(ctx, viewer, target, report, wanted)])
  if (shown === undefined) throw notFound()
  return shown
})
