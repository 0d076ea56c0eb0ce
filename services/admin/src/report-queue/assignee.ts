/** Staff to whom reports can be assigned: active holders of a role that may manage reports. */
import { type AdminRecord, listModeratedAccounts } from '@murmuration/contracts/accounts'
import { invalidField, type Page } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'

const ACTIVE_STAFF = { origin: 'local', staff: true, usable: true } as const

/** One page of staff accounts that may manage reports, newest first. */
export const assigneePage = async (ctx: Pick<Context, 'call'>, page: Page): Promise<AdminRecord[]> => {
  const { limit, max_id, since_id, min_id } = page
  const { records } = await ctx.call(listModeratedAccounts, {
    filter: ACTIVE_STAFF,
    page: { limit, max_id, since_id, min_id },
  })
  return records
}

/** Throws 422 for an account that may not manage reports. */
export const checkAssignee = async (ctx: Pick<Context, 'call'>, id: string): Promise<void> => {
  const { records } = await ctx.call(listModeratedAccounts, {
    filter: { ...ACTIVE_STAFF, ids: [id] },
    page: { limit: 1 },
  })
  if (records.length === 0) throw invalidField('Account may not manage reports')
}
