/** Handler that undoes actions of staff on local accounts, for the audit log. The actor needs the same rank as for the action. */
import { restoreUser } from '@murmuration/contracts/accounts'
import type { AuditAction, RestoreOutcome } from '@murmuration/contracts/admin'
import { Failure } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { restore } from '@murmuration/kernel'
import { z } from 'zod'
import type { Context } from '../context.js'
import { tokenById } from '../core/token/store.js'
import { endToken } from '../core/token/token.js'
import { handle } from '../handlers.js'
import { changeUser } from './change.js'
import { markMemorial } from './memorial.js'
import { isMemorial } from './store.js'

interface Recorded {
  before: unknown
  after: unknown
  dry: boolean
}
interface Target {
  id: string
  userId: string
}
type Restore = (ctx: Context, tx: Tx, target: Target, recorded: Recorded) => Promise<RestoreOutcome>

const Created = z.object({ token_id: z.string() })

/** Revokes a token that staff created. */
const restoreToken: Restore = async (ctx, tx, { userId }, recorded) => {
  const created = Created.safeParse(recorded.after).data
  if (!created) return 'not_recorded'
  const token = await tokenById(tx, created.token_id)
  if (token?.user_id !== userId || token.revoked_at !== null) return 'already'
  if (!recorded.dry) await endToken(ctx, tx, token)
  return 'restored'
}

const Memorial = z.object({ memorial: z.boolean() })

const restoreMemorial: Restore = async (ctx, tx, { id }, { before, after, dry }) =>
  restore(
    { schema: Memorial, recorded: { before, after }, row: { memorial: await isMemorial(tx, id) }, dry },
    async (to) => {
      await markMemorial(ctx, tx, id, to?.memorial ?? false)
    },
  )

const RESTORES: Partial<Record<AuditAction, Restore>> = {
  create_token_user: restoreToken,
  memorialize_account: restoreMemorial,
  unmemorialize_account: restoreMemorial,
}

const OUTCOMES: Partial<Record<Failure['code'], RestoreOutcome>> = {
  forbidden: 'not_permitted',
  not_found: 'account_deleted',
}

export const handleRestoreUser = handle(restoreUser, async (ctx, _viewer, { by, action, targetId, ...recorded }) => {
  const restoreTarget = RESTORES[action]
  if (!restoreTarget) return { outcome: 'not_recorded' as const }
  const id = targetId ?? '0'
  try {
    const outcome = await changeUser(ctx, by === null ? null : { id: by }, id, async (tx, user) => ({
      act: null,
      result: await restoreTarget(ctx, tx, { id, userId: user.user_id }, recorded),
    }))
    return { outcome }
  } catch (error) {
    const outcome = error instanceof Failure ? OUTCOMES[error.code] : undefined
    if (outcome === undefined) throw error
    return { outcome }
  }
})
