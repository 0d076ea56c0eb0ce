/** Loads records of remote actors that interact with statuses, and checks the origin of their URIs. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { isOfOrigin } from '../status/remote.rules.js'

/** Record of a remote account. Null for a local account, or if one of `uris` has another origin than the account. */
export const remoteRecordOf = async (
  ctx: Context,
  id: string,
  uris: readonly (string | null)[],
): Promise<AccountRecord | null> => {
  const { records } = await ctx.call(accountRecords, { ids: [id] })
  const [record] = records
  if (!record || record.domain === null) return null
  return uris.every((uri) => uri === null || isOfOrigin(uri, record.uri)) ? record : null
}

/**
 * Record of a remote actor that may act. Null for a local account, for a suspended account, which may only undo, and if
 * one of `uris` has another origin than the account.
 */
export const actorOf = async (
  ctx: Context,
  id: string,
  uris: readonly (string | null)[],
): Promise<AccountRecord | null> => {
  const record = await remoteRecordOf(ctx, id, uris)
  return record?.suspended ? null : record
}
