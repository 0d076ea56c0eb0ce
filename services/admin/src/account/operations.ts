/** Handlers of staff's account lists, and of approval, rejection and deletion. */
import { listModeratedAccounts, type ModeratedFilter } from '@murmuration/contracts/accounts'
import {
  approveAdminAccount,
  deleteAdminAccount,
  listAdminAccounts,
  listAdminAccountsV1,
  rejectAdminAccount,
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

export const listV1 = handle(listAdminAccountsV1, (ctx, _viewer, input) =>
  pageFor(ctx, listAdminAccountsV1.output, filterOfV1(input), input),
)

export const list = handle(listAdminAccounts, (ctx, _viewer, input) =>
  pageFor(ctx, listAdminAccounts.output, filterOfV2(input), input),
)

export const approve = handle(approveAdminAccount, async (ctx, viewer, { id }) => {
  await decideAccount(ctx, viewer, id, 'approve')
  return toJson((await moderatedAccount(ctx, id)).account)
})

export const reject = handle(rejectAdminAccount, async (ctx, viewer, { id }) => {
  await decideAccount(ctx, viewer, id, 'reject')
  return {}
})

export const remove = handle(deleteAdminAccount, async (ctx, viewer, { id }) => {
  await decideAccount(ctx, viewer, id, 'delete')
  return {}
})
