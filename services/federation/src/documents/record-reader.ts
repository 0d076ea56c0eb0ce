/**
 * Stores the servers that fetch statuses as readers of these statuses, so that they receive later Updates and Deletes.
 */
import type { Context } from '../context.js'
import { type Incoming, isSigned } from '../core/signature/incoming.js'
import type { Requester } from '../core/signature/requester.js'
import { type Readable, recordReaders } from '../outbox/index.js'
import { verifyReader } from './unknown-signer.js'

interface Read extends Readable {
  /**
   * Id of the reblogged status. Readers of a reblog are not stored, because the server of the reblogged status sends
   * its Updates.
   */
  readonly reblog_of: string | null
}

/** Longest time that a response waits until the job for an unknown signer is queued. */
const PATIENCE_MS = 500

/**
 * Stores the server of the client as reader of the statuses in a response. Reblogs are left out.
 *
 * | Request | Effect |
 * |---|---|
 * | unsigned | none |
 * | signed with a stored key | the reader is stored now |
 * | signed with an unknown key | a job verifies the signature later |
 *
 * A failure is logged and does not fail the request.
 */
export const recordReader = async (
  ctx: Context,
  read: readonly Read[],
  { requester, request }: { requester: Requester; request: Incoming },
): Promise<void> => {
  const statuses = read.filter((it) => it.reblog_of === null)
  if (statuses.length === 0 || (requester === null && !isSigned(request))) return
  try {
    if (requester === null)
      return await Promise.race([verifyReader(ctx, request, statuses), ctx.clock.sleep(PATIENCE_MS)])
    const account = await ctx.accountCache.account(requester.owner)
    if (account !== null) await recordReaders(ctx, account, statuses)
  } catch (error) {
    ctx.log.warn({ error }, 'the reader of a status was not stored')
  }
}
