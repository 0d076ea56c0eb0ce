/** Remote actors of interactions. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { isOfOrigin } from '../status/remote.rules.js'

/** An account of another server. An activity of a different origin is not its own (security rule 2). */
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

/** The actor, if it may act. A suspended actor may only undo. */
export const actorOf = async (
  ctx: Context,
  id: string,
  uris: readonly (string | null)[],
): Promise<AccountRecord | null> => {
  const record = await personOf(ctx, id, uris)
  return record?.suspended ? null : record
}
