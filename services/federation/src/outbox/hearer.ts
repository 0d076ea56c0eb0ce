/** Who hears when a status of ours that is out already says something new: an edit, another policy, numbers of its poll. */
import type { StatusSource } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import type { People } from '../core/note.view.js'
import { statusInboxes } from './audience.js'
import type { Outgoing } from './publish.js'
import { readersOfOpen } from './reader.js'
import { relayInboxes } from './relay.js'
import { factsOf } from './status.js'

type Hearers = Pick<Outgoing, 'receivers' | 'alsoAcquainted' | 'forFollowers'> & { inboxes: readonly string[] }

/**
 * Those whom the status is for now, and of what is open to all everybody who got or read it. Who got what is for followers or
 * for some, and is none of them any more, has the old words and learns no new ones. Also an answer that waits for approval
 * again is told to all who had it only where it is open.
 */
export const hearersOf = async (
  ctx: Pick<Context, 'db' | 'call'>,
  source: StatusSource,
  people: People,
): Promise<Hearers> => {
  const visibility = source.held?.visibility ?? source.visibility
  const isOpen = visibility === 'public' || visibility === 'unlisted'
  const [named, relays, readers] = await Promise.all([
    statusInboxes(ctx, factsOf(source), people),
    relayInboxes(ctx, source),
    readersOfOpen(ctx, source),
  ])
  return {
    inboxes: [...named, ...relays, ...readers.inboxes],
    receivers: isOpen ? 'reached' : 'named',
    alsoAcquainted: readers.everybody,
    forFollowers: source.visibility === 'private',
  }
}
