/** Follower synchronisation (FEP-8fcf) for a remote account: ends follows its server does not list, accepts requests it lists. */

import { synchroniseFollowers } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountById } from '../core/account/store.js'
import { lockAccount } from '../core/lock.store.js'
import {
  digestsOf,
  hexOfBits,
  listedNonFollowers,
  storedDigestsOf,
  unlistedFollowers,
} from '../follower-digest/index.js'
import { handle } from '../handlers.js'
import { acceptRequests, endFollows } from './begin.js'

/** Maximum number of follows that one call ends, of requests that it accepts, and of account ids that it returns. */
const MAX_FOLLOWS = 500

const NOTHING = { ended: 0, accepted: 0, [olderNames.unknownAccounts]: [] }

/** Digest of the actor ids of the local followers of the account (FEP-8fcf). */
const digestHere = async (ctx: Pick<Context, 'site'>, tx: Tx, account: string): Promise<string> => {
  const origins = [ctx.site.origin]
  const [row] = (await storedDigestsOf(tx, account, origins)) ?? (await digestsOf(tx, account, origins))
  return hexOfBits(row?.bits ?? '0'.repeat(256))
}

export const synchronise = handle(synchroniseFollowers, async (ctx, _viewer, { account, listed, part, before }) =>
  ctx.db.tx(async (tx) => {
    // The lock prevents new follows, blocks and cancelled requests of the account during the synchronisation.
    await lockAccount(tx, account)
    const target = await accountById(tx, account)
    if (!target || target.domain === null) return NOTHING
    if (before !== undefined && (await digestHere(ctx, tx, account)) !== before) return { ...NOTHING, overtaken: true }
    const unlisted = await unlistedFollowers(tx, account, { listed, ...part, limit: MAX_FOLLOWS })
    const pairs = unlisted.map((from) => ({ from, to: account }))
    // The remote server does not list these follows, so it ended them already. Therefore no activity is sent to it.
    const ended = await endFollows(ctx, tx, pairs, () => true)
    const missing = await listedNonFollowers(tx, account, listed)
    const requesterIds = missing.filter((it) => it.asks).map((it) => it.id)
    const accepted = requesterIds.length
      ? await acceptRequests(ctx, tx, account, { from: requesterIds.slice(0, MAX_FOLLOWS) })
      : []
    return {
      ended: ended.length,
      accepted: accepted.length,
      [olderNames.unknownAccounts]: missing.flatMap((it) => (it.asks ? [] : [it.id])).slice(0, MAX_FOLLOWS),
    }
  }),
)
