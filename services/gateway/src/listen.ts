/** Mounts the gateway on the HTTP server: API routes, pages in Express, and redirects to streaming. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { routedOperations } from '@murmuration/contracts/registry'
import { createSendRequest, type Health, type Listening, type SharedServer } from '@murmuration/kernel'
import type { Context } from './context.js'
import { createBulkheads } from './edge/admission/bulkhead.js'
import { createLimits, noLimits } from './edge/admission/limits.js'
import { createIdempotencyStore } from './edge/call/idempotency.js'
import { createTokens } from './edge/caller/tokens.js'
import { createDispatch } from './edge/dispatch.js'
import { createObserve } from './edge/observe.js'
import { routeTable } from './edge/routing/route-table.js'
import type { Edge } from './edge/serve.js'
import { manifest } from './manifest.js'
import { createPages } from './pages/index.js'
import { createStreamingRedirect } from './streaming-redirect.js'
import { isServedBy, isStreamingPath } from './surface.js'

export const listen = async (
  ctx: Context,
  role: string,
  tools: { server(port: number): Promise<SharedServer>; health: Health },
): Promise<Listening> => {
  const { config } = ctx
  const edge: Edge = {
    ctx,
    tokens: createTokens(ctx),
    limits: config.rateLimits === 'off' ? noLimits : createLimits(ctx.redis, () => ctx.clock.now()),
    bulkheads: createBulkheads(tools.health.loopLag),
    sendRequest: createSendRequest(ctx.nc),
    idempotency: createIdempotencyStore(ctx.redis, ctx.common),
    access: {
      membersOnly: config.membersOnly || config.limitedFederation,
      limitedFederation: config.limitedFederation,
    },
  }
  const operations = routedOperations()
  const observe = createObserve(role, ctx.log)
  const dispatch = createDispatch({ ctx, edge, operations, observe })
  const pages = await createPages({ ctx, edge, observe })
  const redirectStreaming = createStreamingRedirect(ctx)
  if (ctx.common.mode === 'test') tools.health.page('/routes', async () => routeTable(operations))
  const server = await tools.server(config.port)
  server.mount({
    service: manifest.service,
    // If streaming requests are not redirected, the streaming service serves these paths itself.
    matches: (path) =>
      isStreamingPath(path) ? redirectStreaming !== null && role !== 'federation' : isServedBy(role, path),
    request: (req: IncomingMessage, res: ServerResponse) => {
      if (redirectStreaming?.(req, res)) return
      // Express handles only pages. It takes as long for a request as all other steps together, so API requests do not pass through it.
      dispatch.handle(req, res, () => pages.handle(req, res))
    },
  })
  return {
    async stop(ms) {
      const end = performance.now() + ms
      while (dispatch.inFlight() + pages.inFlight() > 0 && performance.now() < end) await ctx.clock.sleep(20)
    },
  }
}
