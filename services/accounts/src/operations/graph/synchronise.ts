/** The server of a remote account says who follows it from here: what it does not know of ends, what it granted begins. */
import { synchroniseFollowers } from '@murmuration/contracts/accounts'
import { acceptRequests, endFollows } from '../../changes/follow.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { listedStrangers, unlistedFollowers } from '../../store/follower-digest.js'
import { lockAccount } from '../../store/lock.js'

/** Follows that end, and people that are told of, in one go. */
const MOST = 500

export const synchronise = handle(synchroniseFollowers, async (ctx, _viewer, { account, listed, part }) =>
  ctx.db.tx(async (tx) => {
    // Nobody follows or blocks it meanwhile, or takes a request back.
    await lockAccount(tx, account)
    const target = await accountById(tx, account)
    if (!target || target.domain === null) return { ended: 0, accepted: 0, strangers: [] }
    const unlisted = await unlistedFollowers(tx, account, { listed, ...part, limit: MOST })
    const pairs = unlisted.map((from) => ({ from, to: account }))
    // Ended by the other side: nothing is said about it there.
    const ended = await endFollows(ctx, tx, pairs, () => true)
    const strangers = await listedStrangers(tx, account, listed)
    const asking = strangers.filter((it) => it.asks).map((it) => it.id)
    const accepted = asking.length ? await acceptRequests(ctx, tx, account, { from: asking.slice(0, MOST) }) : []
    return {
      ended: ended.length,
      accepted: accepted.length,
      strangers: strangers.flatMap((it) => (it.asks ? [] : [it.id])).slice(0, MOST),
    }
  }),
)
