/** The person said yes: makes a code and says where to take it. Everything is checked again. */
import { authorizationApprove } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { makeCode } from '../../changes/authorization-code.js'
import { checkRequest, refusal } from '../../domain/authorization.js'
import { stateOf } from '../../domain/person-state.js'
import { handle } from '../../doors.js'
import { applicationByClientId } from '../../store/application.js'
import { personOfSession } from '../../views/session-person.js'

export const approveAuthorization = handle(authorizationApprove, async (ctx, _viewer, { session, request }) => {
  const person = await personOfSession(ctx, session)
  if (!person) throw fail('unauthenticated', 'This method requires an authenticated user')
  if (stateOf(person) !== 'ok') throw fail('forbidden', 'Your login is currently disabled')
  const client = request.client_id ? await applicationByClientId(ctx.db, request.client_id) : null
  const checked = checkRequest(request, client)
  if (checked.kind === 'refused') return { outcome: checked }
  if (!client) return { outcome: refusal('invalid_client') }
  return { outcome: await makeCode(ctx, client, person.user_id, request, checked) }
})
