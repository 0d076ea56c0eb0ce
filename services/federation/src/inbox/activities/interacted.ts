/** Records servers whose accounts interacted with a local status, so that they receive its edits and its deletion. */

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

/** Records the server of the actor for local statuses among these addresses. May run twice. */
export const noteInteracted = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => noteThose(ctx, { actor, isMeant: (it) => !it.deleted || isOpen(it) }, uris)

/**
 * Records the server of the actor for public local statuses among these addresses. Because a reply or a quote may name any
 * address, its author is not known to have a hidden status, and a Delete would reveal that it existed. A server that may read a
 * hidden status has it by delivery or by a signed request.
 */
export const noteNamed = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => noteThose(ctx, { actor, isMeant: isOpen }, uris)

/** Sends the deletion of public local statuses that were deleted before the interaction arrived. */
export const noteTooLate = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => noteThose(ctx, { actor, isMeant: (it) => it.deleted && isOpen(it) }, uris)
