/** Faults of a fake remote server: no response, repeated failure, Retry-After, 410, redirects, wrong lengths. */
import type { Handler, Received, StubResponse } from './web-server.js'

export type Behaviour =
  /** Accepts the request and never answers. */
  | { kind: 'hang' }
  /** Answers this status, 500 by default. */
  | { kind: 'status'; status?: number; headers?: Record<string, string>; body?: string }
  /** 429 (or another status) with Retry-After: seconds, or a date. */
  | { kind: 'retry-after'; after: number | Date; status?: number }
  | { kind: 'gone' }
  /** Redirects to an address; status 302 by default. */
  | { kind: 'redirect'; to: string; status?: number }
  /** Promises more bytes than it sends, then cuts the socket. */
  | { kind: 'cut' }

export interface Rule {
  behaviour: Behaviour
  /** Only requests of this method. */
  method?: string
  /** Only this path, or paths that match. */
  path?: string | RegExp
  /** Number of requests; unlimited when absent. */
  times?: number
}

export interface Behaviours {
  /** Adds a rule before the others; the returned function takes it away. */
  behave(behaviour: Behaviour, where?: Omit<Rule, 'behaviour'>): () => void
  /** Back to normal. */
  repair(): void
  /** Handles a request if a rule matches. Undefined: no rule matches. `hung`: no response must be sent. */
  misbehave(request: Received, raw: Parameters<Handler>[1]): StubResponse | 'hung' | undefined
}

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
