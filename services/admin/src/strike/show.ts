/** Renders strikes: loads all their accounts in one request, then joins strikes and accounts. */
import { splice } from '@murmuration/cards'
import type { StrikeForHolder } from '@murmuration/contracts/admin'
import type { Account, AccountWarning, AdminStrike } from '@murmuration/contracts/entities'
import { type Json, notFound, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { moderatedAccounts } from '../core/admin-account.js'
import type { StrikeRow } from './store.js'
import { appealTimesOf, strikeOf, warningOf } from './view.js'

/** Renders strikes for staff, in the given order. Strikes of accounts that no longer exist are left out. */
export const showStrikes = async (
  ctx: Pick<Context, 'call'>,
  rows: readonly StrikeRow[],
): Promise<Json<AdminStrike>[]> => {
  const accounts = await moderatedAccounts(
    ctx,
    rows.flatMap((row) => [row.account_id, row.target_account_id]),
  )
  return rows.flatMap((row) => strikeOf(row, accounts) ?? [])
}

/** One strike for staff. Throws 404 if its account no longer exists. */
export const showStrike = async (ctx: Pick<Context, 'call'>, row: StrikeRow | null): Promise<Json<AdminStrike>> => {
  const [shown] = row === null ? [] : await showStrikes(ctx, [row])
  if (shown === undefined) throw notFound()
  return shown
}

/** A strike for the account holder, with the card of the account. */
export const joinWarning = (row: StrikeRow, target: Json<Account>): Json<AccountWarning> =>
  splice<AccountWarning>(toJson(warningOf(row)), { target_account: target })

/** Renders a strike for a settings page of the account holder. */
export const joinHolderStrike = (row: StrikeRow, target: Json<Account>, now: number): Json<StrikeForHolder> =>
  splice<StrikeForHolder>(toJson(appealTimesOf(row, now)), { warning: joinWarning(row, target) })

/** Renders one strike for the account holder. */
export const showWarning = async (
  ctx: Pick<Context, 'accountCards'>,
  row: StrikeRow,
): Promise<Json<AccountWarning>> => {
  const card = (await ctx.accountCards.many([row.target_account_id])).get(row.target_account_id)
  if (card === undefined) throw notFound()
  return joinWarning(row, card)
}
