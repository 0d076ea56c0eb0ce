/** Remembers which servers read statuses of ours, alone or in a list, so that they hear when these change or end. */
import type { Context } from '../context.js'
import { noteKnown, type Readable } from '../delivery/reader.js'
import type { Asker } from './asker.js'

interface Read extends Readable {
  /** Id of what it boosts, whose own server speaks for it. */
  readonly reblog_of: string | null
}

/** Only those who said who they are can be told. What cannot be noted now does not keep anybody from reading. */
export const noteReader = async (ctx: Context, read: readonly Read[], asker: Asker): Promise<void> => {
  const statuses = read.filter((it) => it.reblog_of === null)
  if (asker === null || statuses.length === 0) return
  try {
    const account = await ctx.acquaintances.account(asker.owner)
    if (account !== null) await noteKnown(ctx, account, statuses)
  } catch (error) {
    ctx.log.warn({ error }, 'who read a status was not noted')
  }
}
