/** Handlers that validate, approve and deny authorization requests. */
import { approveAuthorization, denyAuthorization, prepareAuthorization } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { notSignedIn, userOfSession } from '../core/session/signed-in.js'
import { tokenOfGrant } from '../core/token/store.js'
import { obstacleOf, stateOf } from '../core/user/state.rules.js'
import { handle } from '../handlers.js'
import { applicationByClientId } from './application.store.js'
import { checkRequest, destinationOf, redirectWithError, refusal, requiresConsent } from './authorization.rules.js'
import { makeCode } from './authorization-code.js'

/** Validates an authorization request. Returns an error, a sign-in, a consent page, or the redirect with a code. */
export const prepare = handle(prepareAuthorization, async (ctx, _viewer, { session, request }) => {
  const client = request.client_id ? await applicationByClientId(ctx.db, request.client_id) : null
  const checked = checkRequest(request, client)
  if (!client || checked.kind === 'refused')
    return { outcome: checked as Exclude<typeof checked, { kind: 'accepted' }> }
  const app = {
    name: client.name,
    website: client.website,
    scopes: checked.scopes,
    destination: destinationOf(checked.redirectUri),
  }
  const user = session === null ? null : await userOfSession(ctx, session)
  const silent = request.prompt === 'none'
  const errorOf = (error: 'login_required' | 'interaction_required') => ({
    outcome: redirectWithError(request, checked.redirectUri, error, ctx.site.origin),
  })
  const signedOut = () => (silent ? errorOf('login_required') : { outcome: { kind: 'sign-in' as const, app } })
  if (!user || session === null) return signedOut()
  const state = obstacleOf(user)
  if (silent && state !== 'ok') return errorOf('interaction_required')
  if (state !== 'ok') return { outcome: { kind: 'hindered' as const, state } }
  const grant = { applicationId: client.id, userId: user.user_id, scopes: checked.scopes }
  const known = client.trusted || (await tokenOfGrant(ctx.db, grant)) !== null
  // A trusted application needs no consent. Another application needs none if it has a valid token of the user for
  // exactly the requested scopes (D015).
  if (known && !requiresConsent(request)) {
    const replaced = client.trusted ? null : grant
    const outcome = await makeCode(ctx, client, { session, user }, request, checked, replaced)
    if (outcome === 'signed-out') return signedOut()
    if (outcome !== 'revoked') return { outcome }
  }
  return silent ? errorOf('interaction_required') : { outcome: { kind: 'consent' as const, app } }
})

/** Creates a code after the user's consent, and returns the redirect. The request is validated again. */
export const handleApproveAuthorization = handle(approveAuthorization, async (ctx, _viewer, { session, request }) => {
  const user = await userOfSession(ctx, session)
  if (!user) throw notSignedIn()
  if (stateOf(user) !== 'ok') throw fail('forbidden', 'Your login is currently disabled')
  const client = request.client_id ? await applicationByClientId(ctx.db, request.client_id) : null
  const checked = checkRequest(request, client)
  if (checked.kind === 'refused') return { outcome: checked }
  if (!client) return { outcome: refusal('invalid_client') }
  const outcome = await makeCode(ctx, client, { session, user }, request, checked, null)
  if (typeof outcome === 'string') throw notSignedIn()
  return { outcome }
})

/** Returns the redirect with an error after the user refused, or an error page if the redirect URI is not valid. */
export const handleDenyAuthorization = handle(denyAuthorization, async (ctx, _viewer, { session, request }) => {
  if (!(await userOfSession(ctx, session))) throw notSignedIn()
  const client = request.client_id ? await applicationByClientId(ctx.db, request.client_id) : null
  const checked = checkRequest(request, client)
  if (checked.kind === 'refused') return { outcome: checked }
  return { outcome: redirectWithError(request, checked.redirectUri, 'access_denied', ctx.site.origin) }
})
