/** Handlers of appeals: submitted by account holders, listed and decided by staff. */
import {
  approveAppeal,
  createAppeal,
  createAppealOfHolder,
  listAppeals,
  rejectAppeal,
  showAppeal,
} from '@murmuration/contracts/admin'
import { notFound, pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { appealPage, type StrikeRow, showStrikes, showWarning, strikeOfAppeal } from '../strike/index.js'
import { decideAppeal } from './decide.js'
import { stateOf } from './rules.js'
import { submitAppeal } from './submit.js'

/** One appeal with its strike. Throws 404 if the account of the strike no longer exists. */
const showOne = async (ctx: Context, row: StrikeRow | null) => {
  const [shown] = row === null ? [] : await showStrikes(ctx, [row])
  if (shown === undefined) throw notFound()
  return shown
}

export const create = handle(createAppeal, async (ctx, viewer, { id, text }) =>
  showWarning(ctx, await submitAppeal(ctx, viewer.id, id, text)),
)

export const createOfHolder = handle(createAppealOfHolder, async (ctx, _viewer, { account, id, text }) => {
  await submitAppeal(ctx, account, id, text)
  return {}
})

export const list = handle(listAppeals, async (ctx, _viewer, { state, ...page }) => {
  const rows = await appealPage(ctx.db, stateOf(state), page)
  const ids = rows.flatMap((row) => row.appeal_id ?? [])
  return pageReply(listAppeals.output, await showStrikes(ctx, rows), endsOf(ids, page))
})

export const show = handle(showAppeal, async (ctx, _viewer, { id }) => showOne(ctx, await strikeOfAppeal(ctx.db, id)))

export const approve = handle(approveAppeal, async (ctx, viewer, { id }) =>
  showOne(ctx, await decideAppeal(ctx, viewer, id, 'approved')),
)

export const reject = handle(rejectAppeal, async (ctx, viewer, { id }) =>
  showOne(ctx, await decideAppeal(ctx, viewer, id, 'rejected')),
)
