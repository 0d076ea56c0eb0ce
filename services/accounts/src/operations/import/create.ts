/** Reads a table that a person brings along; nothing happens before it is confirmed. */
import { importCreate } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { readImport } from '../../outside/import-file.js'
import { countUnfinished, importOf, insertImport, insertImportRows } from '../../store/import.js'
import { lockName } from '../../store/lock.js'
import { importView } from '../../views/import.js'
import { accountOfSession } from '../../views/session-account.js'

const MOST_AT_ONCE = 10
const ROWS_OF_AN_INSERT = 5_000
const MOST_NAME = 200

export const createImport = handle(importCreate, async (ctx, _viewer, { session, kind, overwrite, file }) => {
  const { account, person } = await accountOfSession(ctx, session)
  // Who lives elsewhere now brings nothing here.
  if (person.moved) throw fail('forbidden', 'Your login is currently disabled')
  const rows = await readImport(ctx, kind, file.key)
  const id = ctx.ids.next()
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `imports ${account.id}`)
    if ((await countUnfinished(tx, account.id)) >= MOST_AT_ONCE)
      throw fail('unprocessable', 'Too many imports are waiting. Wait until some are done.')
    await insertImport(
      tx,
      { id, account_id: account.id, kind, overwrite, name: file.name.slice(0, MOST_NAME), total: rows.length },
      ctx.clock.date(),
    )
    // A table of the largest size takes four inserts.
    for (let first = 0; first < rows.length; first += ROWS_OF_AN_INSERT)
      await insertImportRows(tx, id, first + 1, rows.slice(first, first + ROWS_OF_AN_INSERT))
  })
  const row = await importOf(ctx.db, account.id, id)
  if (!row) throw new Error('a stored import is gone')
  return importView(row)
})
