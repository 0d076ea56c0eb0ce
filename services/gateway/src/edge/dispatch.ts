/**
 * Dispatches the requests of an HTTP server to the API and the pages. Refuses blocked IP addresses and unknown hosts,
 * responds to CORS preflights, and serves API routes. Requests to other paths go to the pages.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyOperation, errorText, fail } from '@murmuration/contracts/kit'
import { addressOf } from '@murmuration/kernel'
import { describeSpan } from '@murmuration/telemetry'
import { wantsJson, wantsPage } from '@murmuration/text'
import type { Context } from '../context.js'
import type { Exchange } from './exchange.js'
import type { Observe } from './observe.js'
import { requestIdOf } from './request-id.js'
import { guardResponse, isForPrograms, isOpenToPages, respondToPreflight, strayHeaders } from './response/headers.js'
import { refuse } from './response/refuse.js'
import { createHostTest } from './routing/hosts.js'
import { createRouter, type Found } from './routing/router.js'
import { createServe, type Edge } from './serve.js'

export interface Dispatch {
  /** Responds to a request, or calls `pages` if its path is no path of the API. */
  handle(req: IncomingMessage, res: ServerResponse, pages: () => void): void
  /** Number of API requests in flight. */
  inFlight(): number
}

/** True if the Accept header prefers activity JSON to HTML. */
const wantsDocument = ({ headers: { accept = '' } }: IncomingMessage): boolean =>
  wantsJson(accept) && !wantsPage(accept)

export const createDispatch = (options: {
  ctx: Context
  edge: Edge
  operations: readonly AnyOperation[]
  observe: Observe
}): Dispatch => {
  const { ctx, edge, observe } = options
  const { https } = ctx.site
  const { log, config } = ctx
  const router = createRouter(options.operations, { https, membersOnly: edge.access.membersOnly })
  const isOurs = createHostTest(ctx.site, ctx.common.alternateDomains, config.trustedProxies)
  const serve = createServe(edge)
  let inFlight = 0

  const start = (req: IncomingMessage, res: ServerResponse, found: Found, path: string, query: string): void => {
    const startedAt = performance.now()
    const exchange: Exchange = {
      ...found.served,
      req,
      res,
      requestId: requestIdOf(req),
      method: req.method ?? 'GET',
      path,
      query,
      params: found.params,
      startedAt,
      ip: addressOf(req, config.trustedProxies),
      caller: { viewer: null, app: null, ip: null, userAgent: null },
      releaseSlot: () => undefined,
      limits: null,
    }
    inFlight++
    describeSpan({ 'http.route': exchange.route.path }, `${exchange.method} ${exchange.route.path}`)
    serve(exchange)
      .catch((error) => {
        const { requestId, limits, headers } = exchange
        const list = limits ? [...headers.refused, ...Object.entries(limits).flat()] : headers.refused
        refuse(exchange, error, { requestId, headers: list, log })
      })
      .finally(() => {
        inFlight--
        const { method, route, requestId } = exchange
        observe({ method, route: route.path, status: res.statusCode, startedAt, requestId })
      })
  }

  /** Whether the IP address of the request is blocked with `no_access`. Every request from such an address is refused. */
  const isBlocked = (req: IncomingMessage): boolean =>
    ctx.policy.access().ip(addressOf(req, config.trustedProxies), ctx.clock.now()) === 'no_access'
  const refuseBlocked = (req: IncomingMessage, res: ServerResponse): void => {
    const startedAt = performance.now()
    res.statusCode = 403
    guardResponse(res, https)
    res.setHeader('Content-Type', 'text/plain; charset=utf-8')
    res.setHeader('Cache-Control', 'private, no-store')
    res.end(req.method === 'HEAD' ? undefined : 'Forbidden')
    observe({ method: req.method ?? '', route: 'shut-out', status: 403, startedAt, requestId: requestIdOf(req) })
  }

  /** Whether a request to an inbox has a method other than POST. Such a request gets 405. */
  const isWrongInboxMethod = (method: string, path: string): boolean =>
    method !== 'POST' && router.find('POST', path)?.served.operation.class === 'inbox'
  const notAllowed = () => fail('not_found', 'Method Not Allowed', { status: 405 })

  /** Refuses a request that matches no route. */
  const refuseUnrouted = (
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    error: unknown,
    more: [string, string][] = [],
  ): void => {
    const requestId = requestIdOf(req)
    const startedAt = performance.now()
    const { status } = refuse({ req, res }, error, {
      requestId,
      headers: [...strayHeaders(path, https), ...more.flat()],
      log,
    })
    observe({ method: req.method ?? '', route: 'none', status, startedAt, requestId })
  }

  return {
    inFlight: () => inFlight,
    handle(req, res, pages) {
      if (isBlocked(req)) return refuseBlocked(req, res)
      const url = req.url ?? '/'
      const mark = url.indexOf('?')
      const path = mark < 0 ? url : url.slice(0, mark)
      if (!isOurs(req)) {
        const text = errorText('This server serves {host}; other names are listed in ALTERNATE_DOMAINS', {
          host: ctx.site.webDomain,
        })
        refuseUnrouted(req, res, path, fail('not_found', text, { status: 421 }))
        return
      }
      if (req.method === 'OPTIONS' && isOpenToPages(path)) {
        const startedAt = performance.now()
        respondToPreflight(req, res, https)
        observe({ method: 'OPTIONS', route: 'preflight', status: 204, startedAt, requestId: requestIdOf(req) })
        return
      }
      const found = router.find(req.method ?? 'GET', path)
      if (found && (!found.negotiated || wantsDocument(req)))
        start(req, res, found, path, mark < 0 ? '' : url.slice(mark + 1))
      else if (isWrongInboxMethod(req.method ?? 'GET', path))
        refuseUnrouted(req, res, path, notAllowed(), [['Allow', 'POST']])
      else if (isForPrograms(path)) refuseUnrouted(req, res, path, fail('not_found', 'Not Found'))
      else pages()
    },
  }
}
