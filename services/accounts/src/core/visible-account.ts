/** The account that a request is about; whoever may not be seen is not there. */
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { type AccountRow, accountById } from './account.store.js'

/** A person to act upon: known, confirmed and approved. Suspended ones too, so that relations to them can be ended. */
export const otherAccount = async (ctx: Pick<Context, 'db'>, id: string): Promise<AccountRow> => {
  const row = await accountById(ctx.db, id)
  if (!row?.usable) throw notFound()
  return row
}

/** The same, but suspended people are not there either: for acts that begin something. */
export const livingAccount = async (ctx: Pick<Context, 'db'>, id: string): Promise<AccountRow> => {
  const row = await otherAccount(ctx, id)
  if (row.suspended) throw notFound()
  return row
}

export const existingAccount = async (ctx: Context, id: string): Promise<AccountRow> => {
  const row = await accountById(ctx.db, id)
  if (!row) throw notFound()
  return row
}
