/** Accounts with moderation data, read from accounts in batches and never cached. */
import { type AdminRecord, accountAdminRecords } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'

const BATCH = 400

/** Records of accounts by id; unknown ids are absent. */
export const moderatedAccounts = async (
  ctx: Pick<Context, 'call'>,
  ids: Iterable<string>,
): Promise<Map<string, AdminRecord>> => {
  const results = await Promise.all(
    chunk([...new Set(ids)], BATCH).map((some) => ctx.call(accountAdminRecords, { ids: some })),
  )
  return new Map(results.flatMap(({ records }) => records.map((one) => [one.id, one] as const)))
}

/** The record of one account. Throws 404 if the account does not exist. */
export const moderatedAccount = async (ctx: Pick<Context, 'call'>, id: string): Promise<AdminRecord> => {
  const found = id === '0' ? undefined : (await moderatedAccounts(ctx, [id])).get(id)
  if (!found) throw notFound()
  return found
}
