/** Recipients of the Update of a status: after an edit, a change of its policy, or new results of its poll. */
import type { NoteData } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import type { AccountsById } from '../core/note/view.js'
import { statusInboxes } from './audience.js'
import type { Outgoing } from './publish.js'
import { readersOfOpen } from './reader.js'
import { relayInboxes } from './relay.js'
import { reachInputOf } from './status.js'

type UpdateRecipients = Pick<Outgoing, 'receivers' | 'toAllRecipients' | 'forFollowers'> & {
  inboxes: readonly string[]
}

/**
 * Recipients of the Update of a status.
 *
 * | Status | Recipients |
 * |---|---|
 * | public or unlisted | current audience, relays, and all servers that received or fetched it |
 * | other | current audience; former recipients keep the old version |
 *
 * For a held reply, the visibility after the approval determines the recipients.
 */
export const recipientsOfUpdate = async (
  ctx: Pick<Context, 'db' | 'call'>,
  source: NoteData,
  accounts: AccountsById,
): Promise<UpdateRecipients> => {
  const visibility = source.held?.visibility ?? source.visibility
  const isOpen = visibility === 'public' || visibility === 'unlisted'
  const [named, relays, readers] = await Promise.all([
    statusInboxes(ctx, reachInputOf(source), accounts),
    relayInboxes(ctx, source),
    readersOfOpen(ctx, source),
  ])
  return {
    inboxes: [...named, ...relays, ...readers.inboxes],
    receivers: isOpen ? 'reached' : 'named',
    toAllRecipients: readers.allRecipients,
    forFollowers: source.visibility === 'private',
  }
}
