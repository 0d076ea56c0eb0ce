/** Compares a page of follower and followee counters with the number of follows, and corrects the counters if the operator requests it. */
import { accountCountsRepaired, accountInvalidation, recountAccounts } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { differences, lockCounters, setCounters } from './recount.store.js'

const PAGE = 1_000
/** Maximum number of corrected counters in one entry of the audit log. */
const MAX_RECORDED = 100

export const recountCounters = handle(recountAccounts, (ctx, viewer, { after, repair }) =>
  ctx.db.tx(async (tx) => {
    const ids = await lockCounters(tx, after, PAGE)
    const found = await differences(tx, ids)
    const wrong = [...new Set(found.map((one) => one.id))]
    if (repair && wrong.length) {
      await setCounters(tx, wrong)
      const few = found.slice(0, MAX_RECORDED)
      await ctx.announce(tx, accountCountsRepaired, {
        by: viewer?.id ?? null,
        action: 'repair_counters',
        targetId: null,
        target: 'accounts',
        before: few.map(({ id, counter, kept }) => ({ id, counter, kept })),
        after: few.map(({ id, counter, counted }) => ({ id, counter, counted })),
      })
      tx.onCommit(() => ctx.invalidations.send(accountInvalidation, wrong))
    }
    return {
      differences: found.map((one) => ({ ...one, repaired: repair })),
      last: ids.length === PAGE ? (ids.at(-1) ?? null) : null,
    }
  }),
)
