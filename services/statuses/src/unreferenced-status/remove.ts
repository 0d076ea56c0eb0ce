/** Deletes unreferenced remote statuses. Deleted statuses may be fetched again later. */
import { statusInvalidation } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { queueRelease } from '../attachment/index.js'
import type { Context } from '../context.js'
import { mayHaveMedia } from '../core/status/media.js'
import { lockAllForChange, rowsOf, type StatusRow } from '../core/status/store.js'
import { freeAddresses } from '../core/status/tombstone.store.js'
import { announceRemoved, removeQuietly } from '../deletion/index.js'
import { findAccountsOf } from './accounts.js'
import { type FindAccounts, unreferencedAmong } from './find.js'
import { notDeletedMembers } from './store.js'

/**
 * The accounts were checked before the transaction, which therefore does not check them again: only edits by authors
 * change mentions.
 */
const noAccounts: FindAccounts = async () => ({ local: new Set(), followed: new Set() })

const removeRows = async (ctx: Context, tx: Tx, rows: readonly StatusRow[]): Promise<void> => {
  await removeQuietly(ctx, tx, rows)
  await announceRemoved(ctx, tx, rows)
  const ids = rows.map((row) => row.id)
  await freeAddresses(tx, ids)
  const withFiles = rows.filter(mayHaveMedia).map((row) => row.id)
  await queueRelease(ctx, tx, withFiles)
  tx.onCommit(() => ctx.invalidations.send(statusInvalidation, ids))
}

/** Deletes the statuses that are still unreferenced. Returns the number of deleted statuses. */
export const removeUnreferenced = async (ctx: Context, ids: readonly string[], before: string): Promise<number> => {
  const remote = (await notDeletedMembers(ctx.db, ids)).filter((one) => !one.local && BigInt(one.id) < BigInt(before))
  const conditions = { before, findAccounts: findAccountsOf(ctx), keepFollowed: false }
  const { found } = await unreferencedAmong(ctx.db, remote, conditions)
  const wanted = found.map((one) => one.id)
  return ctx.db.tx(async (tx) => {
    // Favourites, replies and other interactions wait for these locks, so that none is added between the check and the
    // deletion.
    const held = await notDeletedMembers(tx, await lockAllForChange(tx, wanted))
    const { found: still } = await unreferencedAmong(tx, held, { ...conditions, findAccounts: noAccounts })
    const rows = await rowsOf(
      tx,
      still.map((one) => one.id),
    )
    if (rows.size > 0) await removeRows(ctx, tx, [...rows.values()])
    return rows.size
  })
}
