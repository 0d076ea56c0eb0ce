/**
 * Reactions to accounts that joined, changed, were removed or were warned, to annual reports, and to severed follows.
 */
import {
  accountChanged,
  accountJoined,
  accountRemoved,
  relationshipsSevered,
  rolesOf,
} from '@murmuration/contracts/accounts'
import { strikeCreated } from '@murmuration/contracts/admin'
import { annualReportMade } from '@murmuration/contracts/statuses'
import type { SeveranceDetail, WarningDetail, YearDetail } from '../core/detail.js'
import { storeSuspension } from '../core/sender-flag.store.js'
import { react } from '../handlers.js'
import { queueMail } from '../mail/index.js'
import { sources } from './candidate.js'
import { notify } from './notify.js'
import { undoAccount } from './undo.js'

/** Stores whether an account is suspended. Notifications of suspended senders are hidden until the suspension ends. */
export const onAccountChanged = react(accountChanged, 'on-account-changed', async (ctx, e) => {
  await storeSuspension(ctx.db, e.id, e.flags.suspended, e.eventId)
})

/** Notifies staff who manage accounts of each new account. */
export const onAccountJoined = react(accountJoined, 'on-account-joined', async (ctx, e) => {
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_users' })
  await notify(ctx, e, e.id, [
    { type: 'admin.sign_up', recipients: accountIds, source: sources.account(e.id), status: null, at: e.at },
  ])
})

/** Deletes all rows of a permanently deleted account: as recipient, as sender, and its settings. */
export const onAccountRemoved = react(accountRemoved, 'on-account-removed', (ctx, e) => undoAccount(ctx, e.id))

/** Notifies an account that its annual report is ready. A repeated event adds no second notification, because `source` names the report. */
export const onAnnualReportMade = react(annualReportMade, 'on-annual-report-made', async (ctx, e) => {
  const detail: YearDetail = { year: e.year }
  await notify(ctx, e, e.account, [
    {
      type: 'annual_report',
      recipients: [e.account],
      source: sources.annualReport(e.id),
      status: null,
      detail,
      at: e.at,
    },
  ])
})

/** Notifies an account that lost followers or follows by a suspension or a domain block, once for each decision. */
export const onRelationshipsSevered = react(relationshipsSevered, 'on-relationships-severed', async (ctx, e) => {
  const detail: SeveranceDetail = { severance: e.id }
  await notify(ctx, e, e.account, [
    {
      type: 'severed_relationships',
      recipients: [e.account],
      source: sources.severance(e.id),
      status: null,
      detail,
      at: e.at,
    },
  ])
})

/** Notifies an account that staff warned or restricted, unless staff chose to send no notification. */
export const onStrikeCreated = react(strikeCreated, 'on-strike-created', async (ctx, e) => {
  if (!e.targetLocal || !e.tell) return
  const detail: WarningDetail = {
    id: e.id,
    target: e.target,
    action: e.action,
    text: e.text,
    status_ids: e.statusIds.length ? e.statusIds : null,
    created_at: new Date(e.at).toISOString(),
  }
  await ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'strike',
      source: `strike:${e.id}`,
      recipient_id: e.target,
      values: { strike: e.id, action: e.action, text: e.text },
    }),
  )
  await notify(ctx, e, e.target, [
    {
      type: 'moderation_warning',
      recipients: [e.target],
      source: sources.strike(e.id),
      status: null,
      detail,
      changes: true,
      at: e.at,
    },
  ])
})
