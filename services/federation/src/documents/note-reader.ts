/** Stores which servers read statuses, alone or in a list, so that they receive edits and Deletes. */
import type { Context } from '../context.js'
import type { Asker } from '../core/asker.js'
import { type Incoming, isSigned } from '../core/incoming.js'
import { noteKnown, type Readable } from '../outbox/index.js'
import { verifyReader } from './unknown-signer.js'

interface Read extends Readable {
  /** Id of the reblogged status, whose own server is responsible for it. */
  readonly reblog_of: string | null
}

/** Longest delay of a response until its reader is queued. A slow bus does not fail the read. */
const PATIENCE_MS = 500

/**
 * Records the server that reads a status, so that it receives later edits and the Delete.
 *
 * | Request | Effect |
 * |---|---|
 * | unsigned | none |
 * | signed with a stored key | recorded now |
 * | signed with an unknown key | a job verifies the reader later |
 *
 * A failure here does not fail the request.
 */
export const noteReader = async (
  ctx: Context,
  read: readonly Read[],
  { asker, request }: { asker: Asker; request: Incoming },
): Promise<void> => {
  const statuses = read.filter((it) => it.reblog_of === null)
  if (statuses.length === 0 || (asker === null && !isSigned(request))) return
  try {
    if (asker === null) return await Promise.race([verifyReader(ctx, request, statuses), ctx.clock.sleep(PATIENCE_MS)])
    const account = await ctx.accountCache.account(asker.owner)
    if (account !== null) await noteKnown(ctx, account, statuses)
  } catch (error) {
    ctx.log.warn({ error }, 'who read a status was not noted')
  }
}
