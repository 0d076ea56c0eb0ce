/** Stores servers whose accounts interacted with a local status as readers, so that they receive its Update and Delete. */

import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { recordReaders } from '../../outbox/index.js'
import { isOpen } from '../inbound-acceptance.rules.js'
import { statusAt } from './received.js'

const recordFor = async (
  ctx: Context,
  { actor, isMeant }: { actor: AccountRecord; isMeant: (it: StatusRecord) => boolean },
  uris: readonly (string | null | undefined)[],
): Promise<void> => {
  const named = uris.flatMap((text) => (text ? (readUri(text) ?? []) : []))
  const ours = named.filter((uri) => isOurs(uri, ctx.self.ownHosts))
  const found = await Promise.all(ours.map((uri) => statusAt(ctx, uri)))
  await recordReaders(
    ctx,
    actor,
    found.flatMap((it) => (it?.local && it.reblog_of === null && isMeant(it) ? [it] : [])),
  )
}

/** Stores the server of the actor as reader of the local statuses at these addresses. Storing the reader twice is safe. */
export const recordInteracted = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => recordFor(ctx, { actor, isMeant: (it) => !it.deleted || isOpen(it) }, uris)

/**
 * Stores the server of the actor as reader of those local statuses at these addresses that are public or unlisted.
 *
 * A reply or quote may name any address, so it does not prove that its server has a hidden status. A Delete of a hidden status
 * would reveal that it existed.
 */
export const recordNamed = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => recordFor(ctx, { actor, isMeant: isOpen }, uris)

/** Like `recordNamed`, for statuses that were deleted before the interaction arrived: the server then receives their Delete. */
export const recordTooLate = (
  ctx: Context,
  actor: AccountRecord,
  uris: readonly (string | null | undefined)[],
): Promise<void> => recordFor(ctx, { actor, isMeant: (it) => it.deleted && isOpen(it) }, uris)
