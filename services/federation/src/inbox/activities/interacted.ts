/** Who likes, boosts, answers, quotes or votes has the status, however it came there: their server hears when it changes or ends. */

import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { noteKnown } from '../../outbox/index.js'
import { isOpen } from '../inbound-acceptance.rules.js'
import { statusAt } from './received.js'

const noteThose = async (
  ctx: Context,
  { actor, isMeant }: { actor: AccountRecord; isMeant: (it: StatusRecord) => boolean },
  uris: readonly (string | null | undefined)[],
): Promise<void> => {
  const named = uris.flatMap((text) => (text ? (readUri(text) ?? []) : []))
  const ours = named.filter((uri) => isOurs(uri, ctx.self.ownHosts))
  const found = await Promise.all(ours.map((uri) => statusAt(ctx, uri)))
  await noteKnown(
    ctx,
    actor,
    found.flatMap((it) => (it?.local && it.reblog_of === null && isMeant(it) ? [it] : [])),
  )
}

/** Notes it for those of these addresses that are statuses of ours. Harmless when repeated. */
export const noteInteracted = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => noteThose(ctx, { actor, isMeant: (it) => !it.deleted || isOpen(it) }, uris)

/**
 * Notes it for those that everybody may see. Because a reply or a quote may name any address, its author is not known to have a
 * hidden status, and a Delete would reveal that it existed. Servers that may see one have it by delivery or by a signed request.
 */
export const noteNamed = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => noteThose(ctx, { actor, isMeant: isOpen }, uris)

/** Has their server told of the end of those that everybody could have and that ended while this was on its way. */
export const noteTooLate = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => noteThose(ctx, { actor, isMeant: (it) => it.deleted && isOpen(it) }, uris)
