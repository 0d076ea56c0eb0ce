/** Warns, disables, limits or suspends an account, and settles the reports about it. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { adminAccountAct, strikeCreated } from '@murmuration/contracts/admin'
import { isId, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { record } from '../../audit-log/index.js'
import { carryOut, decide } from '../../changes/decide.js'
import { tellReports } from '../../changes/tell-reports.js'
import type { Context } from '../../context.js'
import { type Action, actionOf, checkAct, textOf } from '../../domain/account-action.js'
import { handle } from '../../doors.js'
import { type ReportRow, reportById, resolveReports } from '../../store/report.js'
import { insertStrike } from '../../store/strike.js'
import { moderatedAccount } from '../../views/admin-account.js'
import { textWithPreset, warningPresetById } from '../../warning-preset/index.js'

interface Deed {
  action: Action
  text: string
  report: ReportRow | null
  tell: boolean
}

/** The report an action is taken for; it must be about the same account. */
const reportFor = async (ctx: Context, id: string | null | undefined, target: string): Promise<ReportRow | null> => {
  if (id === null || id === undefined) return null
  const report = await reportById(ctx.db, id)
  if (report?.target_account_id !== target) throw notFound()
  return report
}

/** The text of the preset that an action names; null without one. */
const presetFor = async (ctx: Context, id: string | null | undefined): Promise<string | null> => {
  if (!id) return null
  const preset = isId(id) ? await warningPresetById(ctx.db, id) : null
  if (preset === null) throw notFound()
  return preset.text
}

/** The strike, and who is to hear of it. */
const strike = async (ctx: Context, tx: Tx, by: Viewer, target: AdminRecord, deed: Deed): Promise<void> => {
  const { action, text, report } = deed
  const row = {
    id: ctx.ids.next(),
    account_id: by.id,
    target_account_id: target.id,
    action,
    text,
    report_id: report?.id ?? null,
    status_ids: report?.status_ids ?? [],
    created_at: ctx.clock.date(),
  }
  await insertStrike(tx, row)
  // A warning is logged for its text; what restricts an account is logged as itself.
  if (action === 'none' && text !== '')
    await record(ctx, tx, by, {
      action: 'create_account_warning',
      targetId: target.id,
      target: target.account.account.acct,
      after: { text },
    })
  const targetLocal = target.account.domain === null
  await ctx.announce(tx, strikeCreated, {
    id: row.id,
    target: target.id,
    targetLocal,
    action,
    text,
    statusIds: row.status_ids,
    tell: targetLocal && deed.tell,
  })
}

/** A restriction settles everything that is open about the account; a mere warning only the report it was for. */
const settleReports = async (ctx: Context, tx: Tx, by: Viewer, target: string, deed: Deed): Promise<void> => {
  if (deed.action === 'none' && deed.report === null) return
  const only = deed.action === 'none' ? (deed.report?.id ?? null) : null
  const settled = await resolveReports(tx, { target, only }, by.id, ctx.clock.date())
  await tellReports(ctx, tx, settled)
  await record(
    ctx,
    tx,
    by,
    ...settled.map(({ id }) => ({ action: 'resolve_report' as const, targetId: id, target: `#${id}` })),
  )
}

export const act = handle(adminAccountAct, async (ctx, staff, input) => {
  // Operators have no account: they leave no strike, and reports stay open.
  const viewer: Viewer | null = staff
  const target = await moderatedAccount(ctx, input.id)
  const action = actionOf(input.type)
  checkAct(viewer, action, target.position)
  const preset = await presetFor(ctx, input.warning_preset_id)
  const report = await reportFor(ctx, input.report_id, target.id)
  const text = textWithPreset(preset, textOf(input.text))
  const deed = { action, text, report, tell: input.send_email_notification }
  await ctx.db.tx(async (tx) => {
    if (action !== 'none') await decide(ctx, tx, viewer, target, { state: action, wanted: true })
    if (viewer === null) return
    await strike(ctx, tx, viewer, target, deed)
    await settleReports(ctx, tx, viewer, target.id, deed)
  })
  if (action !== 'none') await carryOut(ctx, target.id, action)
  return {}
})
