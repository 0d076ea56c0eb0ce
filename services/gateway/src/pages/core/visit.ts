/** One request for a page, and how its handler is run: bounded, timed, traced, and with a readable page when it fails. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { asFailure, BUDGET_MS, type Failure, fail, meaningOf, type RouteClass } from '@murmuration/contracts/kit'
import { bucketsFor, rateLimits } from '@murmuration/contracts/rate-limits'
import { activeTraceparent, addressOf, failureBody, within } from '@murmuration/kernel'
import { type Message, msg } from '@murmuration/messages'
import { describeSpan } from '@murmuration/telemetry'
import type { Express, Request, Response } from 'express'
import type { Context } from '../../context.js'
import { localeOf } from '../../edge/locale.js'
import type { Observe } from '../../edge/observe.js'
import { requestIdOf } from '../../edge/request-id.js'
import type { Edge } from '../../edge/serve.js'
import { html } from './html.js'
import { t } from './language.js'
import { card, sendPage } from './layout.js'
import { sayProblem } from './problem-words.js'

/** No parameter may hold one: PostgreSQL cannot store it. Forms are checked where they are read. */
const NUL = /%00/

const refuseNul = (address: string): void => {
  if (!NUL.test(address)) return
  const [path = ''] = address.split('?', 1)
  if (NUL.test(path)) throw nothingHere()
  throw fail('invalid', 'The address contains a null character.')
}

/** Dependencies of the pages. */
export interface PageContext {
  readonly ctx: Context
  readonly edge: Edge
  readonly observe: Observe
}

export interface Visit {
  readonly ctx: Context
  readonly req: Request
  readonly res: Response
  readonly ip: string
  readonly requestId: string
  /** Counts this request for its address, for what the form names, and for who is signed in. Throws 429. */
  limit(of?: { email?: string; viewerId?: string }): Promise<void>
}
export type Page = (visit: Visit) => Promise<void> | void

/** The answer to anything that is not there, or not for this visitor. */
export const nothingHere = () => fail('not_found', 'There is nothing at this address.')

/** Refusals of the services in words for people. */
const TITLES: Readonly<Record<number, Message>> = {
  400: msg('Something went wrong'),
  403: msg('Not allowed'),
  404: msg('Page not found'),
  429: msg('Too many attempts'),
  503: msg('Try again in a moment'),
}

/** Programs ask for JSON by name; browsers take anything. */
export const wantsJson = ({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  /^application\/json\b/.test(headers.accept ?? '') || url?.startsWith('/api/web/') === true

/** Request metadata for the bus and for the translations of a page. The caller is anonymous; pages look up the session. */
const requestOf = (req: Request, requestId: string, of: RouteClass, ip: string | null = null) => ({
  requestId,
  caller: { viewer: null, app: null, ip, userAgent: req.headers['user-agent'] ?? null },
  endsAt: performance.now() + BUDGET_MS[of],
  commandId: null,
  idempotencyKey: null,
  locale: localeOf(req, req.query),
  traceparent: activeTraceparent(),
})

const refuseJson = (res: ServerResponse, failure: Failure, requestId: string): void => {
  res.statusCode = failure.status
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.end(res.req.method === 'HEAD' ? undefined : failureBody(failure, requestId))
}

export const refusePage = (ctx: Context, res: Response, thrown: unknown, requestId: string): void => {
  const failure = asFailure(thrown)
  const loud = meaningOf(failure.code).log
  if (loud !== 'quiet') ctx.log[loud]({ requestId, error: failure.extras.cause ?? failure }, 'a page failed')
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (wantsJson(res.req)) return refuseJson(res, failure, requestId)
  if (failure.extras.retryAfter) res.setHeader('Retry-After', String(Math.ceil(failure.extras.retryAfter)))
  // Also what no page was found for is said in the reader’s language.
  void within(requestOf(res.req, requestId, 'page'), async () => {
    const title = t(TITLES[failure.status] ?? msg('Something went wrong'))
    sendPage(ctx, res, {
      title,
      status: failure.status,
      indexed: false,
      body: card(
        title,
        html`<p>${sayProblem(failure.message)}</p><p class="soft small">${t('Request {id}', { id: requestId })}</p><p><a href="/">${t('Back to the home page')}</a></p>`,
      ),
    })
  })
}

export interface Pages {
  /** Adds a page; every path is written out, so that limits and figures see the same route as Express. */
  add(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, page: Page, of?: RouteClass): void
  inFlight(): number
}

export const pagesOn = (app: Express, { ctx, edge, observe }: PageContext): Pages => {
  let inFlight = 0
  const run = async (page: Page, of: RouteClass, path: string, req: Request, res: Response) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(req)
    const ip = addressOf(req, ctx.config.trustedProxies)
    res.setHeader('X-Request-Id', requestId)
    describeSpan({ 'http.route': path }, `${req.method} ${path}`)
    const visit: Visit = {
      ctx,
      req,
      res,
      ip,
      requestId,
      limit: async ({ email, viewerId } = {}) => {
        const buckets = bucketsFor(rateLimits.requests, req.method, path, Object.keys(req.query))
        await edge.limits.count(buckets, { ip, viewerId: viewerId ?? null, tokenId: null, ...(email ? { email } : {}) })
      },
    }
    const request = requestOf(req, requestId, of, ip)
    try {
      edge.bulkheads.admit(of, true)
      const leave = await edge.bulkheads.enter(of)
      try {
        refuseNul(req.originalUrl)
        await within(request, async () => page(visit))
      } finally {
        leave()
      }
    } catch (error) {
      refusePage(ctx, res, error, requestId)
    } finally {
      observe({ method: req.method, route: path, status: res.statusCode, startedAt, requestId })
    }
  }
  return {
    inFlight: () => inFlight,
    add(method, path, page, of = 'page') {
      app[method](path, (req: Request, res: Response) => {
        inFlight++
        run(page, of, path, req, res).finally(() => {
          inFlight--
        })
      })
    },
  }
}
