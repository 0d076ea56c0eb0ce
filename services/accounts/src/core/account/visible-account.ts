/** Reads the account of a request. An account that may not be shown causes a 404 error. */
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { type AccountRow, accountById } from './store.js'

/** Returns another account that is confirmed and approved. Suspended accounts are included, so that relationships to them can be ended. */
export const otherAccount = async (ctx: Pick<Context, 'db'>, id: string): Promise<AccountRow> => {
  const row = await accountById(ctx.db, id)
  if (!row?.usable) throw notFound()
  return row
}

/** Returns another account that is confirmed, approved and not suspended. Operations that begin a relationship to it use this. */
export const activeAccount = async (ctx: Pick<Context, 'db'>, id: string): Promise<AccountRow> => {
  const row = await otherAccount(ctx, id)
  if (row.suspended) throw notFound()
  return row
}

export const existingAccount = async (ctx: Context, id: string): Promise<AccountRow> => {
  const row = await accountById(ctx.db, id)
  if (!row) throw notFound()
  return row
}
