/** The route of a request: authenticate, limit, check, ask the owner, pass its bytes on. Built once from the contracts. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '@murmuration/bus'
import { type AnyOperation, BUDGET_MS, fail, type Route } from '@murmuration/contracts/kit'
import { activeTraceparent, createAskRaw } from '@murmuration/kernel'
import router from 'find-my-way'
import type { Context } from '../context.js'
import { addressOf } from './address.js'
import { authorize, createAuth, tokenOf } from './auth.js'
import { parseForm, readInput } from './body.js'
import { createBulkheads } from './bulkhead.js'
import type { Exchange } from './exchange.js'
import { allowPages, answerPreflight, apiHeaders, deprecation, isOpenToPages } from './headers.js'
import { parseInput } from './input.js'
import { createLimits, noLimits } from './limits.js'
import { linkHeader } from './links.js'
import { rawInput } from './raw-input.js'
import { refuse } from './refuse.js'

export interface Dispatch {
  /** Answers the request, or calls `next` when no route of the contracts matches. */
  handle(req: IncomingMessage, res: ServerResponse, next: () => void): void
  /** Requests in hand. */
  inHand(): number
}

const requestIdOf = (req: IncomingMessage): string => {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}

const basic = (req: IncomingMessage): Record<string, string> => {
  const match = /^Basic\s+([\w+/=-]+)$/i.exec(req.headers.authorization ?? '')
  if (!match) return {}
  const [id = '', ...secret] = Buffer.from(match[1] ?? '', 'base64')
    .toString('utf8')
    .split(':')
  try {
    return { client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret.join(':')) }
  } catch {
    return { client_id: id, client_secret: secret.join(':') }
  }
}

const localeOf = (req: IncomingMessage, given: Record<string, unknown>): string => {
  const lang =
    typeof given.lang === 'string' ? given.lang : String(req.headers['accept-language'] ?? '').split(/[,;]/)[0]
  return /^[\w-]{2,12}$/.test(lang ?? '') ? String(lang) : ''
}

export const createDispatch = (ctx: Context, operations: readonly AnyOperation[], loopLag: () => number): Dispatch => {
  const auth = createAuth(ctx)
  const limits = ctx.config.rateLimits === 'off' ? noLimits : createLimits(ctx.redis, () => ctx.clock.now())
  const bulkheads = createBulkheads(loopLag)
  const ask = createAskRaw(ctx.nc)
  let inHand = 0

  const gather = async (exchange: Exchange, query: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { req, operation } = exchange
    const body = operation.rawBody > 0 ? await rawInput(exchange) : await readInput(req, operation, ctx.staging)
    return { ...query, ...body, ...exchange.params }
  }

  const send = (exchange: Exchange, answer: Answer, given: Record<string, unknown>): void => {
    const { res, operation, route } = exchange
    const { meta, bytes } = answer
    const headers =
      operation.output.kind === 'raw' && !meta.code
        ? {
            'Content-Type': operation.output.contentType,
            'X-Content-Type-Options': 'nosniff',
            'X-Request-Id': exchange.requestId,
          }
        : apiHeaders(operation, exchange.caller.app !== null, exchange.requestId)
    const link =
      meta.next || meta.prev ? linkHeader(operation, `${ctx.site.origin}${exchange.path}`, given, meta) : null
    res.writeHead(meta.status, {
      ...headers,
      ...(meta.code ? { 'Cache-Control': 'private, no-store' } : {}),
      ...(link ? { Link: link } : {}),
      ...(route.deprecated ? { Deprecation: deprecation(route.deprecated) } : {}),
      ...meta.headers,
      'Content-Length': bytes.length,
    })
    res.end(exchange.method === 'HEAD' ? undefined : bytes)
  }

  const serve = async (exchange: Exchange): Promise<void> => {
    const { req, operation } = exchange
    const query = parseForm(exchange.query)
    let token = tokenOf(req, query)
    // A token in the body is allowed too, but nothing expensive is read for nobody: forms with files need the header.
    let given: Record<string, unknown> | undefined
    let known = await auth.identify(token, exchange.ip)
    if (
      token === null &&
      operation.viewer.kind !== 'anyone' &&
      operation.files.length === 0 &&
      exchange.method !== 'GET'
    ) {
      given = await gather(exchange, query)
      token = tokenOf(req, given)
      known = await auth.identify(token, exchange.ip)
    }
    const userAgent = req.headers['user-agent'] ?? null
    exchange.caller = authorize(operation, known, { ip: exchange.ip, userAgent })
    await limits.count(exchange, Object.keys(query))
    const leave = await bulkheads.enter(operation.class, exchange.caller.viewer === null)
    try {
      given ??= await gather(exchange, query)
      if (operation.viewer.kind === 'anyone' && exchange.path.startsWith('/oauth/')) given = { ...basic(req), ...given }
      if (operation.wantsToken) given = { ...given, access_token: token }
      const input = operation.rawBody > 0 ? given : parseInput(operation, given)
      const family = await limits.family(exchange)
      const idempotencyKey = req.headers['idempotency-key']
      const answer = await ask(operation, JSON.stringify(input), {
        remainingMs: BUDGET_MS[operation.class] - (performance.now() - exchange.startedAt),
        caller: exchange.caller,
        requestId: exchange.requestId,
        commandId: operation.class === 'read' ? null : randomUUID(),
        idempotencyKey: typeof idempotencyKey === 'string' && idempotencyKey ? idempotencyKey : null,
        locale: localeOf(req, given),
        traceparent: activeTraceparent(),
      }).catch((error) => {
        family.giveBack()
        throw error
      })
      if (family.consumed && (answer.meta.code || answer.meta.headers['X-Unchanged'])) family.giveBack()
      send(exchange, answer, given)
    } finally {
      leave()
    }
  }

  const routes = router({
    ignoreTrailingSlash: true,
    maxParamLength: 2_048,
    caseSensitive: true,
    defaultRoute: (_req, _res) => undefined,
  })
  const start =
    (operation: AnyOperation, route: Route) =>
    (req: IncomingMessage, res: ServerResponse, params: Record<string, string | undefined>) => {
      const url = req.url ?? '/'
      const mark = url.indexOf('?')
      const exchange: Exchange = {
        req,
        res,
        requestId: requestIdOf(req),
        method: req.method ?? 'GET',
        path: mark < 0 ? url : url.slice(0, mark),
        query: mark < 0 ? '' : url.slice(mark + 1),
        params,
        operation,
        route,
        startedAt: performance.now(),
        ip: addressOf(req, ctx.config.trustedProxies),
        caller: { viewer: null, app: null, ip: null, userAgent: null },
      }
      if (isOpenToPages(exchange.path)) allowPages(res)
      inHand++
      serve(exchange)
        .catch((error) => refuse(res, error, exchange.requestId, ctx.log))
        .finally(() => {
          inHand--
        })
    }
  for (const operation of operations)
    for (const route of operation.http) {
      routes.on(route.method, route.path, start(operation, route))
      if (route.method === 'GET') routes.on('HEAD', route.path, start(operation, route))
    }

  return {
    inHand: () => inHand,
    handle(req, res, next) {
      const url = req.url ?? '/'
      const mark = url.indexOf('?')
      const path = mark < 0 ? url : url.slice(0, mark)
      if (req.method === 'OPTIONS' && isOpenToPages(path)) {
        answerPreflight(res)
        return
      }
      const found = routes.find((req.method ?? 'GET') as Route['method'], path)
      if (found) {
        // biome-ignore lint/suspicious/noExplicitAny: the router stores handlers of one shape.
        ;(found.handler as any)(req, res, found.params)
        return
      }
      if ((path.startsWith('/api/') && path !== '/api/openapi.json') || path.startsWith('/oauth/token')) {
        allowPages(res)
        refuse(res, fail('not_found', 'Not Found'), requestIdOf(req), ctx.log)
        return
      }
      next()
    },
  }
}
