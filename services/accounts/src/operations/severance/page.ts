/** A page of the accounts that a person lost; nobody else's are there (A057). */
import { severancePage } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { COLUMNS, guarded } from '../../domain/table.js'
import { handle } from '../../doors.js'
import { severancesByIds, severedOf } from '../../store/severance.js'
import { accountOfSession } from '../../views/session-account.js'

const PAGE = 1_000

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
