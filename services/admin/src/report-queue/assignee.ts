/** Staff to whom reports can be assigned: active holders of a role that may manage reports. */
import { type AdminRecord, moderatedAccountList } from '@murmuration/contracts/accounts'
import { invalidField, type Page } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'

const isActive = ({ account }: AdminRecord): boolean => !account.disabled && !account.suspended

/** One page, newest first. */
export const assigneePage = async (ctx: Pick<Context, 'call'>, page: Page): Promise<AdminRecord[]> => {
  const { limit, max_id, since_id, min_id } = page
  const { records } = await ctx.call(moderatedAccountList, {
    filter: { origin: 'local', staff: true },
    page: { limit, max_id, since_id, min_id },
  })
  return records.filter(isActive)
}

/** Throws 422 for an account that may not manage reports. */
export const checkAssignee = async (ctx: Pick<Context, 'call'>, id: string): Promise<void> => {
  const filter = { origin: 'local' as const, staff: true, ids: [id] }
  const { records } = await ctx.call(moderatedAccountList, { filter, page: { limit: 1 } })
  if (!records.some(isActive)) throw invalidField('Account may not manage reports')
}
