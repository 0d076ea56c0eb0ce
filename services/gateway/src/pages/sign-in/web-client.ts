/** JSON endpoints of web clients that authenticate with the session cookie. */
import { type SessionPerson, webSettingChange } from '@murmuration/contracts/accounts'
import { fail, missingParameter } from '@murmuration/contracts/kit'
import { changeSessionPush, createSessionPush } from '@murmuration/contracts/notifications'
import { textOfState } from '../../edge/caller/auth.js'
import type { Sessions } from '../core/session.js'
import type { Pages, Visit } from '../core/visit.js'

const SUBSCRIPTIONS = '/api/web/push_subscriptions'
const SETTINGS = '/api/web/settings'

type Given = Readonly<Record<string, unknown>>
type Ask = (visit: Visit, person: SessionPerson, given: Given) => Promise<unknown>

/** Input from the request body and the session; the operation's own schema validates it. */
const inputOf = (visit: Visit, person: SessionPerson, given: Given) =>
  ({
    ...given,
    id: visit.req.params.id,
    account: person.viewer.id,
    session: person.sessionId,
    locale: person.viewer.locale,
  }) as never

const subscribe: Ask = (visit, person, given) => visit.ctx.call(createSessionPush, inputOf(visit, person, given))

const changeSubscription: Ask = (visit, person, given) =>
  visit.ctx.call(changeSessionPush, inputOf(visit, person, given))

const changeSettings: Ask = (visit, person, { data }) => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw missingParameter('data')
  return visit.ctx.call(webSettingChange, { account: person.viewer.id, data: data as Record<string, unknown> })
}

export const addWebClient = (pages: Pages, sessions: Sessions): void => {
  const add = (method: 'post' | 'put' | 'patch', path: string, ask: Ask): void =>
    pages.add(
      method,
      path,
      async (visit) => {
        const { req, res } = visit
        const given = await sessions.sent(req)
        const person = await sessions.person(req)
        if (person === null) throw fail('unprocessable', 'This method requires an authenticated user')
        if (person.state !== 'ok') throw fail('forbidden', textOfState(person.state))
        if (person.needsFactor) throw fail('forbidden', 'Your account requires two-factor authentication')
        const answer = await ask(visit, person, given)
        res.setHeader('Content-Type', 'application/json; charset=utf-8')
        res.setHeader('Cache-Control', 'private, no-store')
        res.setHeader('X-Content-Type-Options', 'nosniff')
        res.end(JSON.stringify(answer))
      },
      'write',
    )
  add('post', SUBSCRIPTIONS, subscribe)
  for (const method of ['put', 'patch'] as const) {
    add(method, `${SUBSCRIPTIONS}/:id`, changeSubscription)
    add(method, SETTINGS, changeSettings)
  }
}
