/** Reads and renders an import of the signed-in user for the settings pages. */
import type { Import } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { accountOfSession } from '../core/session/signed-in.js'
import { type ImportRow, importOf } from './store.js'

export const importView = ({ account_id: _account, cleared: _cleared, created_at, ...row }: ImportRow): Import => ({
  ...row,
  created_at: created_at.toISOString(),
})

/** Returns an import of the signed-in user. Imports of other users cause a 404 error (A057). */
export const ownImport = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
  id: string,
): Promise<ImportRow> => {
  const { account } = await accountOfSession(ctx, session)
  const row = await importOf(ctx.db, account.id, id)
  if (!row) throw notFound()
  return row
}
