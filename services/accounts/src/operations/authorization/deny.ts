/** The person said no: the client is told, if its address was proved. */
import { authorizationDeny } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { checkRequest, departWithError } from '../../domain/authorization.js'
import { handle } from '../../doors.js'
import { applicationByClientId } from '../../store/application.js'
import { personOfSession } from '../../views/session-person.js'

export const denyAuthorization = handle(authorizationDeny, async (ctx, _viewer, { session, request }) => {
  if (!(await personOfSession(ctx, session)))
    throw fail('unauthenticated', 'This method requires an authenticated user')
  const client = request.client_id ? await applicationByClientId(ctx.db, request.client_id) : null
  const checked = checkRequest(request, client)
  if (checked.kind === 'refused') return { outcome: checked }
  return { outcome: departWithError(request, checked.redirectUri, 'access_denied', ctx.site.origin) }
})
