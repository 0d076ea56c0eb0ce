/** The server of a remote account says who follows it from here: what it does not know of ends, what it granted begins. */
import { synchroniseFollowers } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountById } from '../core/account.store.js'
import { lockAccount } from '../core/lock.store.js'
import { digestsOf, hexOfBits, keptDigestsOf, listedNonFollowers, unlistedFollowers } from '../follower-digest/index.js'
import { handle } from '../handlers.js'
import { acceptRequests, endFollows } from './begin.js'

/** Follows that end, and people that are told of, in one go. */
const MOST = 500

const NOTHING = { ended: 0, accepted: 0, strangers: [] }

/** Of the people here who follow the account. */
const digestHere = async (ctx: Pick<Context, 'site'>, tx: Tx, account: string): Promise<string> => {
  const origins = [ctx.site.origin]
  const [row] = (await keptDigestsOf(tx, account, origins)) ?? (await digestsOf(tx, account, origins))
  return hexOfBits(row?.bits ?? '0'.repeat(256))
}

export const synchronise = handle(synchroniseFollowers, async (ctx, _viewer, { account, listed, part, before }) =>
  ctx.db.tx(async (tx) => {
    // Prevents new follows, blocks and withdrawn requests meanwhile.
    await lockAccount(tx, account)
    const target = await accountById(tx, account)
    if (!target || target.domain === null) return NOTHING
    if (before !== undefined && (await digestHere(ctx, tx, account)) !== before) return { ...NOTHING, overtaken: true }
    const unlisted = await unlistedFollowers(tx, account, { listed, ...part, limit: MOST })
    const pairs = unlisted.map((from) => ({ from, to: account }))
    // Ended by the other side: nothing is said about it there.
    const ended = await endFollows(ctx, tx, pairs, () => true)
    const missing = await listedNonFollowers(tx, account, listed)
    const asking = missing.filter((it) => it.asks).map((it) => it.id)
    const accepted = asking.length ? await acceptRequests(ctx, tx, account, { from: asking.slice(0, MOST) }) : []
    return {
      ended: ended.length,
      accepted: accepted.length,
      strangers: missing.flatMap((it) => (it.asks ? [] : [it.id])).slice(0, MOST),
    }
  }),
)
