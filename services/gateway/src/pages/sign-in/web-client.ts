/** JSON endpoints of web clients that authenticate with the session cookie. */
import { changeWebSetting, type SessionUser } from '@murmuration/contracts/accounts'
import { fail, missingParameter } from '@murmuration/contracts/kit'
import { changeSessionPush, createSessionPush } from '@murmuration/contracts/notifications'
import { textOfState } from '../../edge/caller/auth.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import type { Sessions } from '../core/session.js'

const SUBSCRIPTIONS = '/api/web/push_subscriptions'
const SETTINGS = '/api/web/settings'

type Given = Readonly<Record<string, unknown>>
type Endpoint = (request: PageRequest, user: SessionUser, given: Given) => Promise<unknown>

/** Input of an operation from the request body and the session. The schema of the operation validates it. */
const inputOf = (request: PageRequest, user: SessionUser, given: Given) =>
  ({
    ...given,
    id: request.req.params.id,
    account: user.viewer.id,
    session: user.sessionId,
    locale: user.viewer.locale,
  }) as never

const subscribe: Endpoint = (request, user, given) => request.ctx.call(createSessionPush, inputOf(request, user, given))

const changeSubscription: Endpoint = (request, user, given) =>
  request.ctx.call(changeSessionPush, inputOf(request, user, given))

const changeSettings: Endpoint = (request, user, { data }) => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw missingParameter('data')
  return request.ctx.call(changeWebSetting, { account: user.viewer.id, data: data as Record<string, unknown> })
}

export const addWebClient = (pages: Pages, sessions: Sessions): void => {
  const add = (method: 'post' | 'put' | 'patch', path: string, endpoint: Endpoint): void =>
    pages.add(
      method,
      path,
      async (request) => {
        const { req, res } = request
        const given = await sessions.sent(req)
        const user = await sessions.user(req)
        if (user === null) throw fail('unprocessable', 'This method requires an authenticated user')
        if (user.state !== 'ok') throw fail('forbidden', textOfState(user.state))
        if (user.needsFactor) throw fail('forbidden', 'Your account requires two-factor authentication')
        const result = await endpoint(request, user, given)
        res.setHeader('Content-Type', 'application/json; charset=utf-8')
        res.setHeader('Cache-Control', 'private, no-store')
        res.setHeader('X-Content-Type-Options', 'nosniff')
        res.end(JSON.stringify(result))
      },
      'write',
    )
  add('post', SUBSCRIPTIONS, subscribe)
  for (const method of ['put', 'patch'] as const) {
    add(method, `${SUBSCRIPTIONS}/:id`, changeSubscription)
    add(method, SETTINGS, changeSettings)
  }
}
