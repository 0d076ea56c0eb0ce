/** Staff changed how an account or a whole domain stands. */
import { accountModerate } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'
import { beginDomain } from '../../changes/moderate-domain.js'
import { moderate } from '../../changes/moderation.js'
import { handle } from '../../doors.js'
import { lockAccount } from '../../store/lock.js'

export const moderateAccounts = handle(
  accountModerate,
  async (ctx, _viewer, { id, domain, exact, action, stamp, replaces }) => {
    if (id !== undefined) {
      const { ids } = await ctx.db.tx(async (tx) => {
        await lockAccount(tx, id)
        return moderate(ctx, tx, { id, replaces }, action, stamp)
      })
      return { changed: ids.length }
    }
    const name = normaliseDomain(domain ?? '')
    if (name === null) throw fail('invalid', 'param is missing or the value is empty or invalid: id')
    if (action !== 'suspend' && action !== 'unsuspend' && action !== 'silence' && action !== 'unsilence')
      throw fail('invalid', 'param is missing or the value is empty or invalid: action')
    // The first page is done when the answer goes out; the rest of a large domain follows.
    return ctx.db.tx(async (tx) => ({ changed: await beginDomain(ctx, tx, { domain: name, exact, action, stamp }) }))
  },
)
