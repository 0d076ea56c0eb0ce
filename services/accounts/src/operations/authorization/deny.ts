/** The person said no: the client is told, if its address was proved. */
import { authorizationDeny } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { OUT_OF_BAND } from '../../domain/application.js'
import { checkRequest, departTo, refusal } from '../../domain/authorization.js'
import { describeOAuth } from '../../domain/oauth-error.js'
import { handle } from '../../doors.js'
import { applicationByClientId } from '../../store/application.js'
import { personOfSession } from '../../views/session-person.js'

export const denyAuthorization = handle(authorizationDeny, async (ctx, _viewer, { session, request }) => {
  if (!(await personOfSession(ctx, session)))
    throw fail('unauthenticated', 'This method requires an authenticated user')
  const client = request.client_id ? await applicationByClientId(ctx.db, request.client_id) : null
  const checked = checkRequest(request, client)
  if (checked.kind === 'refused') return { outcome: checked }
  if (checked.redirectUri === OUT_OF_BAND) return { outcome: refusal('access_denied') }
  return {
    outcome: departTo(checked.redirectUri, request.response_mode, {
      error: 'access_denied',
      error_description: describeOAuth('access_denied'),
      state: request.state,
      iss: `${ctx.site.origin}/`,
    }),
  }
})
