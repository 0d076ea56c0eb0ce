/** Adds actions to the audit log, in the transaction of the action itself. */
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertAudit } from './store.js'

export interface Deed {
  /** `<action>_<target>`, such as `create_domain_block`. */
  action: string
  targetId: string | null
  /** The target in words. */
  target: string
  before?: unknown
  after?: unknown
}

/** Notes what somebody did; `actor` null stands for the operator. */
export const record = async (
  ctx: Pick<Context, 'ids' | 'clock'>,
  tx: Tx,
  actor: Pick<Viewer, 'id'> | null,
  ...deeds: Deed[]
): Promise<void> => {
  const at = ctx.clock.date()
  await insertAudit(
    tx,
    deeds.map((deed) => ({
      id: ctx.ids.next(),
      actor_id: actor?.id ?? null,
      action: deed.action,
      target_id: deed.targetId,
      target: deed.target,
      before: deed.before,
      after: deed.after,
      created_at: at,
    })),
  )
}
