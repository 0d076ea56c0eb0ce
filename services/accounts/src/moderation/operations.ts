/** Handler that moderates accounts or a whole domain. */
import { moderateAccount } from '@murmuration/contracts/accounts'
import { missingParameter } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'
import { lockAccounts } from '../core/lock.store.js'
import { handle } from '../handlers.js'
import { beginDomain } from './domain.js'
import { moderate } from './moderate.js'

export const moderateAccounts = handle(
  moderateAccount,
  async (ctx, _viewer, { id, ids, domain, exact, restores, action, stamp, replaces }) => {
    const accounts = ids ?? (id === undefined ? undefined : [id])
    if (accounts !== undefined) {
      const changed = await ctx.db.tx(async (tx) => {
        await lockAccounts(tx, accounts)
        return moderate(ctx, tx, { ids: accounts, replaces }, action, stamp)
      })
      return { changed: changed.ids.length }
    }
    const name = normaliseDomain(domain ?? '')
    if (name === null) throw missingParameter('id')
    if (action !== 'suspend' && action !== 'unsuspend' && action !== 'silence' && action !== 'unsilence')
      throw missingParameter('action')
    // The response is sent after the first page of accounts. For a large domain, jobs moderate the remaining accounts.
    const wanted = { domain: name, exact, action, stamp }
    return ctx.db.tx(async (tx) => ({ changed: await beginDomain(ctx, tx, wanted, restores === true) }))
  },
)
