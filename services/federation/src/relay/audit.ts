/** Announces actions of staff on relays, for the audit log. */
import { relayManaged } from '@murmuration/contracts/federation'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { RelayRow } from '../core/relay/store.js'

/**
 * The part of a relay's state that staff decides, for the audit log. A relay with a pending Follow counts as enabled.
 */
export const recordedOf = ({ url, style, inbox_url, actor_uri, state, created_at }: RelayRow) => ({
  url,
  style,
  inbox_url,
  actor_uri,
  enabled: state === 'pending' || state === 'accepted',
  created_at,
})

/**
 * Announces an action in the transaction of its change. `before` and `after` are null for a relay that is added or removed; `by` is
 * null for operators.
 */
export const announceRelay = (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  by: Viewer | null,
  verb: 'create' | 'enable' | 'disable' | 'destroy',
  { before, after }: { before: RelayRow | null; after: RelayRow | null },
): Promise<void> => {
  const relay = after ?? before
  return ctx.announce(tx, relayManaged, {
    by: by?.id ?? null,
    action: `${verb}_relay`,
    targetId: relay?.id ?? '',
    target: relay?.url ?? '',
    before: before && recordedOf(before),
    after: after && recordedOf(after),
  })
}
