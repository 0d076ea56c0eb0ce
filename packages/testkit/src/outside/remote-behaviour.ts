/** Faults of a fake remote server: no response, repeated failure, Retry-After, 410, redirects, wrong lengths. */
import type { Handler, Received, StubResponse } from './web-server.js'

export type Behaviour =
  /** Accepts requests and never responds. */
  | { kind: 'hang' }
  /** Responds with this status; 500 by default. */
  | { kind: 'status'; status?: number; headers?: Record<string, string>; body?: string }
  /** Responds with Retry-After in seconds or as a date. The status is 429 by default. */
  | { kind: 'retry-after'; after: number | Date; status?: number }
  | { kind: 'gone' }
  /** Redirects to a URL; status 302 by default. */
  | { kind: 'redirect'; to: string; status?: number }
  /** Sends fewer bytes than its Content-Length states, then closes the socket. */
  | { kind: 'cut' }

export interface Rule {
  behaviour: Behaviour
  /** If set, the rule applies only to requests with this method. */
  method?: string
  /** If set, the rule applies only to this path, or to paths that match this expression. */
  path?: string | RegExp
  /** Number of requests to which the rule applies; unlimited if absent. */
  times?: number
}

export interface Behaviours {
  /** Adds a rule that is checked before the existing rules. The returned function removes the rule. */
  behave(behaviour: Behaviour, where?: Omit<Rule, 'behaviour'>): () => void
  /** Removes all fault rules, so that the server responds normally. */
  repair(): void
  /** Applies the first matching rule to a request. Returns undefined if no rule matches, and `hung` if no response may be sent. */
  misbehave(request: Received, raw: Parameters<Handler>[1]): StubResponse | 'hung' | undefined
}

/** Creates the faults of a server, which has none at first. */
export const behaviours = (): Behaviours => {
  let rules: Rule[] = []
  return {
    behave: (behaviour, where = {}) => {
      const rule = { behaviour, ...where }
      rules.unshift(rule)
      return () => {
        rules = rules.filter((one) => one !== rule)
      }
    },
    repair: () => {
      rules = []
    },
    misbehave: (request, raw) => {
      const rule = rules.find((one) => isFor(one, request))
      if (!rule) return undefined
      if (rule.times !== undefined && --rule.times <= 0) rules = rules.filter((one) => one !== rule)
      return act(rule.behaviour, raw)
    },
  }
}

const isFor = ({ method, path }: Rule, request: Received): boolean => {
  if (method && method !== request.method) return false
  const asked = request.path.split('?', 1)[0]!
  return path === undefined || (typeof path === 'string' ? path === asked : path.test(asked))
}

const act = (behaviour: Behaviour, { response }: Parameters<Handler>[1]): StubResponse | 'hung' => {
  switch (behaviour.kind) {
    case 'hang':
      return 'hung'
    case 'status':
      return { status: behaviour.status ?? 500, headers: behaviour.headers ?? {}, body: behaviour.body ?? '' }
    case 'retry-after': {
      const after = behaviour.after instanceof Date ? behaviour.after.toUTCString() : String(behaviour.after)
      return { status: behaviour.status ?? 429, headers: { 'retry-after': after } }
    }
    case 'gone':
      return { status: 410 }
    case 'redirect':
      return { status: behaviour.status ?? 302, headers: { location: behaviour.to } }
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/activity+json', 'content-length': '1000' })
      response.write('{"id":', () => response.destroy())
      return 'hung'
  }
}
