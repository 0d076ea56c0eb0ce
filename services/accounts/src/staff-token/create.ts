/** Creates tokens of local accounts for staff and operators, and records them in the audit log. */
import { errorText, fieldProblem, invalidField, type Viewer } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { parseScopes, validScopes } from '@murmuration/contracts/scopes'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { problem, refusalOf } from '../core/problem.rules.js'
import { makeToken } from '../core/token/token.js'
import { writeMail } from '../mail/index.js'
import { applicationByClientId, insertApplication, OUT_OF_BAND } from '../oauth/index.js'
import { changeUser } from '../user/index.js'

/**
 * The applications to which tokens of operators and of staff belong. The account holder sees these applications among
 * those with access.
 */
const OPERATORS = { client_id: 'operator', name: 'Command line' }
const STAFF = { client_id: 'staff', name: 'Staff' }

const applicationIdOf = async (ctx: Context, tx: Tx, { client_id, name }: typeof STAFF): Promise<string> => {
  await insertApplication(tx, {
    id: ctx.ids.next(),
    client_id,
    // The secret of the application is not returned, because this application never authenticates itself.
    secret_hash: ctx.tokens.nonce(),
    name,
    website: null,
    redirect_uris: [OUT_OF_BAND],
    scopes: ['read'],
    createdAt: ctx.clock.date(),
  })
  const app = await applicationByClientId(tx, client_id)
  if (!app) throw new Error(`the application ${client_id} is missing`)
  return app.id
}

const scopesOf = (by: Viewer | null, given: string) => {
  const scopes = parseScopes(given)
  if (!validScopes(scopes))
    throw refusalOf([problem('scopes', 'ERR_INCLUSION', "doesn't match configured on the server.")])
  // Staff cannot create tokens with admin scopes, because the audit log would name the account of the token instead of the staff member.
  if (by !== null && scopes.some((scope) => scope.startsWith('admin:')))
    throw invalidField('Scopes must not contain admin scopes')
  return scopes
}

interface WantedToken {
  account: string
  /** Scope names separated by spaces. */
  scopes: string
  /** Seconds until the token expires. */
  expiresIn?: number | undefined
}

interface CreatedToken {
  token: string
  scopes: string[]
  expires_at?: string
}

/** When a token expires. Tokens of operators have no expiry. */
const expiryOf = (ctx: Context, by: Viewer | null, seconds: number = limits.oauth.staffTokenSeconds): Date | null => {
  if (seconds < 1) throw invalidField(fieldProblem('expires_in', errorText('is invalid')))
  return by === null ? null : new Date(ctx.clock.now() + seconds * 1_000)
}

/**
 * Creates a token for a local account. `by` is null for operators. Throws 403 if the account is remote, or its rank is
 * not below that of the staff member.
 */
export const createToken = (
  ctx: Context,
  by: Viewer | null,
  { account, scopes: given, expiresIn }: WantedToken,
): Promise<CreatedToken> =>
  changeUser(ctx, by, account, async (tx, user) => {
    const scopes = scopesOf(by, given)
    const applicationId = await applicationIdOf(ctx, tx, by === null ? OPERATORS : STAFF)
    const expiresAt = expiryOf(ctx, by, expiresIn)
    const grant = { applicationId, userId: user.user_id, scopes }
    const token = await makeToken(ctx, tx, grant, { byOperator: true, expiresAt })
    const expires_at = expiresAt?.toISOString()
    const expiry = expires_at !== undefined && { expires_at }
    if (by !== null && user.confirmed) await writeMail(ctx, tx, user, 'token-created', { values: { ...expiry } })
    return {
      act: { action: 'create_token_user', after: { token_id: token.id, scopes: token.scopes, ...expiry } },
      result: { token: token.value, scopes: [...token.scopes], ...expiry },
    }
  })
