/** Handler that undoes actions of staff on local accounts, for the audit log. The actor needs the same rank as for the action. */
import { userRestore } from '@murmuration/contracts/accounts'
import type { RestoreOutcome } from '@murmuration/contracts/admin'
import { Failure } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { z } from 'zod'
import type { Context } from '../context.js'
import { tokenById } from '../core/access-token.store.js'
import { endToken } from '../core/token.js'
import { handle } from '../handlers.js'
import { changeUser } from './change.js'

interface Recorded {
  after: unknown
  dry: boolean
}

const Created = z.object({ token_id: z.string() })

/** Revokes a token that staff created. */
const restoreToken = async (ctx: Context, tx: Tx, userId: string, recorded: Recorded): Promise<RestoreOutcome> => {
  const created = Created.safeParse(recorded.after).data
  if (!created) return 'not_recorded'
  const token = await tokenById(tx, created.token_id)
  if (token?.user_id !== userId || token.revoked_at !== null) return 'already'
  if (!recorded.dry) await endToken(ctx, tx, token)
  return 'restored'
}

const OUTCOMES: Partial<Record<Failure['code'], RestoreOutcome>> = {
  forbidden: 'not_permitted',
  not_found: 'account_deleted',
}

export const restoreUser = handle(userRestore, async (ctx, _viewer, { by, action, targetId, ...recorded }) => {
  if (action !== 'create_token_user') return { outcome: 'not_recorded' as const }
  try {
    const outcome = await changeUser(ctx, by === null ? null : { id: by }, targetId ?? '0', async (tx, user) => ({
      act: null,
      result: await restoreToken(ctx, tx, user.user_id, recorded),
    }))
    return { outcome }
  } catch (error) {
    const outcome = error instanceof Failure ? OUTCOMES[error.code] : undefined
    if (outcome === undefined) throw error
    return { outcome }
  }
})
