/** Runs the handlers of pages, with concurrency limit, time limit, tracing and an error page. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  asFailure,
  BUDGET_MS,
  type Failure,
  fail,
  meaningOf,
  phrasesOf,
  type RouteClass,
} from '@murmuration/contracts/kit'
import { bucketsFor, rateLimits } from '@murmuration/contracts/rate-limits'
import type { Release } from '@murmuration/flow'
import { activeTraceparent, addressOf, failureBody, within } from '@murmuration/kernel'
import { type Message, msg } from '@murmuration/messages'
import { describeSpan } from '@murmuration/telemetry'
import type { Express, Request, Response } from 'express'
import type { Context } from '../../context.js'
import { pageLocaleOf } from '../../edge/locale.js'
import type { Observe } from '../../edge/observe.js'
import { requestIdOf } from '../../edge/request-id.js'
import { inLanguage, languageOfCaller } from '../../edge/response/error-language.js'
import type { Edge } from '../../edge/serve.js'
import { errorMessage } from './error-message.js'
import { html } from './html.js'
import { t } from './language.js'
import { card, sendPage } from './layout.js'

/** Matches an encoded NUL character in a URL. PostgreSQL cannot store NUL. The bodies of forms are checked in `csrf.ts`. */
const NUL = /%00/

const refuseNul = (address: string): void => {
  if (!NUL.test(address)) return
  const [path = ''] = address.split('?', 1)
  if (NUL.test(path)) throw pageNotFound()
  throw fail('invalid', 'The address contains a null character.')
}

/** Dependencies that the handlers of all pages share. */
export interface PageContext {
  readonly ctx: Context
  readonly edge: Edge
  readonly observe: Observe
}

/** A request for a page, as its handler gets it. */
export interface PageRequest {
  readonly ctx: Context
  readonly req: Request
  readonly res: Response
  readonly ip: string
  readonly requestId: string
  /**
   * Counts this page request against the rate limits of its route, by IP address, `email` and `viewerId`. Throws 429 if
   * a limit is used up.
   */
  limit(of?: { email?: string; viewerId?: string }): Promise<void>
  /** Releases the concurrency slot of the request. Further calls do nothing. */
  releaseSlot(): void
}
export type Page = (request: PageRequest) => Promise<void> | void

/** The 404 error for a page that does not exist or that the visitor may not see. */
export const pageNotFound = () => fail('not_found', 'There is nothing at this address.')

/** Titles of error pages by HTTP status. */
const TITLES: Readonly<Record<number, Message>> = {
  400: msg('Something went wrong'),
  403: msg('Not allowed'),
  404: msg('Page not found'),
  429: msg('Too many attempts'),
  503: msg('Try again in a moment'),
}

/** True if the client accepts JSON first, or requests an API of the web client. */
export const wantsJson = ({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  /^application\/json\b/.test(headers.accept ?? '') || url?.startsWith('/api/web/') === true

/**
 * Request context of a page, for calls on the bus and for translations. The caller is anonymous, because pages pass the
 * session in the input of their calls.
 */
const requestOf = (req: Request, requestId: string, of: RouteClass, ip: string | null = null) => ({
  requestId,
  caller: { viewer: null, app: null, ip, userAgent: req.headers['user-agent'] ?? null },
  endsAt: performance.now() + BUDGET_MS[of],
  commandId: null,
  idempotencyKey: null,
  locale: pageLocaleOf(req, req.query),
  traceparent: activeTraceparent(),
})

const refuseJson = (res: ServerResponse, failure: Failure, requestId: string): void => {
  res.statusCode = failure.status
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  const body = inLanguage(languageOfCaller(res.req, null), Buffer.from(failureBody(failure, requestId)), {
    phrases: phrasesOf(failure),
    own: {},
  })
  for (const [name, value] of Object.entries(body.headers)) res.setHeader(name, value)
  res.end(res.req.method === 'HEAD' ? undefined : body.bytes)
}

/** Sends an error page, or JSON to clients that prefer it. */
export const refusePage = (ctx: Context, res: Response, thrown: unknown, requestId: string): void => {
  const failure = asFailure(thrown)
  const level = meaningOf(failure.code).log
  if (level !== 'quiet') ctx.log[level]({ requestId, error: failure.extras.cause ?? failure }, 'a page failed')
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (failure.extras.retryAfter) res.setHeader('Retry-After', String(Math.ceil(failure.extras.retryAfter)))
  if (wantsJson(res.req)) return refuseJson(res, failure, requestId)
  // A request without a route has no request context yet, which the translation of its error page needs.
  void within(requestOf(res.req, requestId, 'page'), async () => {
    const title = t(TITLES[failure.status] ?? msg('Something went wrong'))
    sendPage(ctx, res, {
      title,
      status: failure.status,
      indexed: false,
      body: card(
        title,
        html`<p>${errorMessage(failure.text)}</p><p class="muted small">${t('Request {id}', { id: requestId })}</p><p><a href="/">${t('Back to the home page')}</a></p>`,
      ),
    })
  })
}

export interface Pages {
  /** Adds a page. `path` is the route in rate limits, metrics and Express. */
  add(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, page: Page, of?: RouteClass): void
  /** Number of page requests in flight. */
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
    let release: Release | null = null
    const releaseSlot = () => {
      release?.()
      release = null
    }
    const request: PageRequest = {
      ctx,
      req,
      res,
      ip,
      requestId,
      limit: async ({ email, viewerId } = {}) => {
        const buckets = bucketsFor(rateLimits.requests, req.method, path, Object.keys(req.query))
        await edge.limits.count(buckets, { ip, viewerId: viewerId ?? null, tokenId: null, ...(email ? { email } : {}) })
      },
      releaseSlot,
    }
    const context = requestOf(req, requestId, of, ip)
    try {
      edge.bulkheads.admit(of, true)
      release = await edge.bulkheads.enter(of)
      refuseNul(req.originalUrl)
      await within(context, async () => page(request))
    } catch (error) {
      refusePage(ctx, res, error, requestId)
    } finally {
      releaseSlot()
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
