/** Announces what staff did to a relay, for the audit log. */
import { relayManaged } from '@murmuration/contracts/federation'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import type { RelayRow } from '../../store/relay.js'

/** `by` is null for operators. */
export const announceRelay = (
  ctx: Context,
  by: Viewer | null,
  verb: 'create' | 'enable' | 'disable' | 'destroy',
  relay: Pick<RelayRow, 'id' | 'url'>,
): Promise<void> =>
  ctx.db.tx((tx) =>
    ctx.announce(tx, relayManaged, {
      by: by?.id ?? null,
      action: `${verb}_relay`,
      targetId: relay.id,
      target: relay.url,
      before: null,
      after: null,
    }),
  )
