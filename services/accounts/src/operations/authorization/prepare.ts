/** Checks an authorization request: who must sign in, what to consent to, or where to go at once. */
import { authorizationPrepare } from '@murmuration/contracts/accounts'
import { makeCode } from '../../changes/authorization-code.js'
import { checkRequest, departWithError, destinationOf, insists } from '../../domain/authorization.js'
import { hindranceOf } from '../../domain/person-state.js'
import { handle } from '../../doors.js'
import { tokenOfGrant } from '../../store/access-token.js'
import { applicationByClientId } from '../../store/application.js'
import { personOfSession } from '../../views/session-person.js'

export const prepareAuthorization = handle(authorizationPrepare, async (ctx, _viewer, { session, request }) => {
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
  const person = session === null ? null : await personOfSession(ctx, session)
  const silent = request.prompt === 'none'
  const tell = (error: 'login_required' | 'interaction_required') => ({
    outcome: departWithError(request, checked.redirectUri, error, ctx.site.origin),
  })
  if (!person) return silent ? tell('login_required') : { outcome: { kind: 'sign-in' as const, app } }
  const state = hindranceOf(person)
  if (silent && state !== 'ok') return tell('interaction_required')
  if (state !== 'ok') return { outcome: { kind: 'hindered' as const, state } }
  const grant = { applicationId: client.id, userId: person.user_id, scopes: checked.scopes }
  const known = client.trusted || (await tokenOfGrant(ctx.db, grant)) !== null
  // What was granted before is granted again without a question, but never anything new (D015).
  if (known && !insists(request)) return { outcome: await makeCode(ctx, client, person.user_id, request, checked) }
  return silent ? tell('interaction_required') : { outcome: { kind: 'consent' as const, app } }
})
