/** Compares a page of counters with the follows, and puts them right when the operator says so. */
import { accountHint, recountAccounts } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { differences, holdCounters, setCounters } from '../../store/count.js'

const PAGE = 1_000

export const recountCounters = handle(recountAccounts, (ctx, _viewer, { after, repair }) =>
  ctx.db.tx(async (tx) => {
    const ids = await holdCounters(tx, after, PAGE)
    const found = await differences(tx, ids)
    const wrong = [...new Set(found.map((one) => one.id))]
    if (repair && wrong.length) {
      await setCounters(tx, wrong)
      tx.onCommit(() => ctx.hints.send(accountHint, wrong))
    }
    return {
      differences: found.map((one) => ({ ...one, repaired: repair })),
      last: ids.length === PAGE ? (ids.at(-1) ?? null) : null,
    }
  }),
)
