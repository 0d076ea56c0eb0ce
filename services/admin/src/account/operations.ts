/** Handlers of staff's account lists, and of approval, rejection and deletion. */
import { listModeratedAccounts, type ModeratedFilter } from '@murmuration/contracts/accounts'
import {
  approveAccountByStaff,
  deleteAccountByStaff,
  listAccountsForStaff,
  listAccountsForStaffV1,
  rejectAccountByStaff,
} from '@murmuration/contracts/admin'
import { type Page, type PageOutput, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { moderatedAccount } from '../core/admin-account.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import { decideAccount } from './decide.js'
import { filterOfV1, filterOfV2 } from './rules.js'

const pageFor = async (ctx: Context, output: PageOutput, filter: ModeratedFilter, input: Page) => {
  const { limit, max_id, since_id, min_id } = input
  const page = { limit, max_id, since_id, min_id }
  const { records } = await ctx.call(listModeratedAccounts, { filter, page })
  const accounts = records.map((one) => one.account)
  return rowPage(output, accounts, (account) => account, page)
}

export const listV1 = handle(listAccountsForStaffV1, (ctx, _viewer, input) =>
  pageFor(ctx, listAccountsForStaffV1.output, filterOfV1(input), input),
)

export const list = handle(listAccountsForStaff, (ctx, _viewer, input) =>
  pageFor(ctx, listAccountsForStaff.output, filterOfV2(input), input),
)

export const approve = handle(approveAccountByStaff, async (ctx, viewer, { id }) => {
  await decideAccount(ctx, viewer, id, 'approve')
  return toJson((await moderatedAccount(ctx, id)).account)
})

export const reject = handle(rejectAccountByStaff, async (ctx, viewer, { id }) => {
  await decideAccount(ctx, viewer, id, 'reject')
  return {}
})

export const remove = handle(deleteAccountByStaff, async (ctx, viewer, { id }) => {
  await decideAccount(ctx, viewer, id, 'delete')
  return {}
})
