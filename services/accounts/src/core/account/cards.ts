/** Renders account cards from rows. A second query reads the targets of accounts that moved, if there are any. */
import type { Account } from '@murmuration/contracts'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { type AccountRow, accountsByIds } from './store.js'
import { accountOf } from './view.js'

type Reading = Pick<Context, 'db' | 'site'>

/** Accounts to which the accounts in `rows` moved, by id. */
export const movedTargets = async (ctx: Reading, rows: readonly AccountRow[]): Promise<Map<string, AccountRow>> => {
  const ids = [...new Set(rows.map((row) => row.moved_to_id).filter((id) => id !== null))]
  return new Map((await accountsByIds(ctx.db, ids)).map((row) => [row.id, row]))
}

/** Account JSON for `rows`, in their order. */
export const accountsOfRows = async (ctx: Reading, rows: readonly AccountRow[]): Promise<Account[]> => {
  const moved = await movedTargets(ctx, rows)
  return rows.map((row) => accountOf(row, ctx.site, moved.get(row.moved_to_id ?? '')))
}

/** Accounts as objects by id, for responses that contain more than a list of cards. Unknown ids are left out. */
export const accountValues = async (ctx: Reading, ids: readonly string[]): Promise<Map<string, Account>> => {
  const accounts = await accountsOfRows(ctx, await accountsByIds(ctx.db, [...new Set(ids)]))
  return new Map(accounts.map((account) => [account.id, account]))
}

/** Account cards by id. Unknown ids are left out. */
export const cardsOf = async (ctx: Reading, ids: readonly string[]): Promise<Map<string, Json<Account>>> => {
  const accounts = await accountValues(ctx, ids)
  return new Map([...accounts].map(([id, account]) => [id, toJson(account)]))
}

/** Account cards in the order of `ids`. Unknown ids are left out. */
export const cardsInOrder = async (ctx: Reading, ids: readonly string[]): Promise<Json<Account>[]> => {
  const cards = await cardsOf(ctx, ids)
  return ids.map((id) => cards.get(id)).filter((card) => card !== undefined)
}
