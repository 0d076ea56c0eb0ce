/** Handlers of severed relationships. */
import { listSeverances, severanceCards, severancePage } from '@murmuration/contracts/accounts'
import { notFound, toJson } from '@murmuration/contracts/kit'
import { accountOfSession } from '../core/session/signed-in.js'
import { COLUMNS, guarded } from '../core/table.rules.js'
import { handle } from '../handlers.js'
import { severancesByIds, severancesOf, severedOf } from './store.js'
import { severanceOf } from './view.js'

/** Returns the severances of the user. */
export const list = handle(listSeverances, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { events: (await severancesOf(ctx.db, account.id)).map(severanceOf) }
})

/** Returns severances by id, for notifications. */
export const getSeveranceCards = handle(severanceCards, async (ctx, _viewer, { viewer, ids }) => {
  const rows = await severancesByIds(ctx.db, viewer, ids)
  return new Map(rows.map((row) => [row.id, toJson(severanceOf(row))]))
})

const PAGE = 1_000

/** Returns a page of the accounts of a severance as CSV rows. Severances of other users cause a 404 error (A057). */
export const getSeverancePage = handle(severancePage, async (ctx, _viewer, { session, id, which, after }) => {
  const { account } = await accountOfSession(ctx, session)
  const [severance] = await severancesByIds(ctx.db, account.id, [id])
  if (!severance || severance.purged) throw notFound()
  const rows = await severedOf(ctx.db, id, which === 'following', { after: after ?? '', limit: PAGE })
  const cells = rows.map((row) =>
    which === 'following'
      ? [row.address, String(row.reblogs), String(row.notify), (row.languages ?? []).join(', ')]
      : [row.address],
  )
  const head = which === 'following' ? [...COLUMNS.follows] : [...COLUMNS.blocks]
  return {
    rows: [...(after === undefined ? [head] : []), ...cells.map((row) => row.map(guarded))],
    next: rows.length === PAGE ? (rows.at(-1)?.address ?? null) : null,
  }
})
