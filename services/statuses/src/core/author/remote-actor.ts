/** Remote actors of interactions. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { isOfOrigin } from '../status/remote.rules.js'

/** Record of a remote account; null when a uri is of another server’s origin (security rule 2). */
export const personOf = async (
  ctx: Context,
  id: string,
  uris: readonly (string | null)[],
): Promise<AccountRecord | null> => {
  const { records } = await ctx.call(accountRecords, { ids: [id] })
  const [record] = records
  if (!record || record.domain === null) return null
  return uris.every((uri) => uri === null || isOfOrigin(uri, record.uri)) ? record : null
}

/** Record of an actor that may act; null for a suspended one, which may only undo. */
export const actorOf = async (
  ctx: Context,
  id: string,
  uris: readonly (string | null)[],
): Promise<AccountRecord | null> => {
  const record = await personOf(ctx, id, uris)
  return record?.suspended ? null : record
}
