/** Handlers that show the consequence of an action before it is taken, with the same checks. */
import { type AdminRecord, countModeratedFollows } from '@murmuration/contracts/accounts'
import { type ActionPreview, previewAccountAction, previewStatusAction } from '@murmuration/contracts/admin'
import type { WarningAction } from '@murmuration/contracts/entities'
import { fail, notFound } from '@murmuration/contracts/kit'
import { previewStrikeMail } from '@murmuration/contracts/notifications'
import { overrides } from '@murmuration/contracts/permissions'
import type { Context } from '../context.js'
import { actionOf, checkAct } from '../core/account-action.rules.js'
import { moderatedAccount } from '../core/admin-account.js'
import { reportById } from '../core/report.store.js'
import { handle } from '../handlers.js'
import { findAffected } from '../status-decision/index.js'
import { actionText } from '../warning-preset/index.js'
import { consequenceOf } from './rules.js'
import { countOpenReports, countStrikes } from './store.js'

interface Wanted {
  type: WarningAction
  text: string
  statusIds: string[]
  /** Number of reports that the action resolves. */
  resolved: Promise<number>
}

const preview = async (ctx: Context, target: AdminRecord, wanted: Wanted): Promise<ActionPreview> => {
  const { type, text, statusIds } = wanted
  const isLocal = target.account.domain === null
  const [follows, { mail }, resolved, strikes] = await Promise.all([
    type === 'suspend' ? ctx.call(countModeratedFollows, { id: target.id }) : { followers: 0, following: 0 },
    isLocal ? ctx.call(previewStrikeMail, { account: target.id, action: type, text }) : { mail: null },
    wanted.resolved,
    countStrikes(ctx.db, target.id),
  ])
  const posts = target.account.account.statuses_count
  return {
    type,
    text,
    ...consequenceOf({ type, isLocal, posts, follows, statusIds }),
    status_ids: statusIds,
    reports_resolved: resolved,
    strikes,
    email: mail,
  }
}

/** A warning resolves the report that it names; restrictions resolve all open reports about the account. */
const resolvedBy = async (ctx: Context, type: WarningAction, target: string, reportId: string | null | undefined) => {
  if (type !== 'none') return countOpenReports(ctx.db, target)
  if (!reportId) return 0
  const report = await reportById(ctx.db, reportId)
  if (report?.target_account_id !== target) throw notFound()
  return report.action_taken_at === null ? 1 : 0
}

export const previewAccount = handle(previewAccountAction, async (ctx, viewer, input) => {
  const target = await moderatedAccount(ctx, input.id)
  const type = actionOf(input.type)
  checkAct(viewer, type, target.position)
  const text = await actionText(ctx, input)
  return preview(ctx, target, {
    type,
    text,
    statusIds: [],
    resolved: resolvedBy(ctx, type, target.id, input.report_id),
  })
})

export const showStatuses = handle(previewStatusAction, async (ctx, viewer, input) => {
  const report = await reportById(ctx.db, input.id)
  if (!report) throw notFound()
  const target = await moderatedAccount(ctx, report.target_account_id)
  if (viewer !== null && !overrides(viewer.position, target.position))
    throw fail('forbidden', 'This action is not allowed')
  const { type, ids } = await findAffected(ctx, report, input.type, input.status_ids ?? null)
  const text = await actionText(ctx, input)
  const resolved = Promise.resolve(report.action_taken_at === null ? 1 : 0)
  return preview(ctx, target, { type, text, statusIds: ids, resolved })
})
