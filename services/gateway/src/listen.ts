/** The gateway's door: one Express app whose contract routes stand behind one radix tree. */
import { routedOperations } from '@murmuration/contracts/registry'
import type { Health, Listening, SharedServer } from '@murmuration/kernel'
import express from 'express'
import type { Context } from './context.js'
import { createDispatch } from './edge/dispatch.js'
import { mountPages } from './pages/index.js'

/** Paths of other servers; everything else belongs to people. */
export const isFederationPath = (path: string): boolean =>
  path === '/inbox' ||
  path === '/actor' ||
  path.startsWith('/actor/') ||
  path.startsWith('/ap/') ||
  path.startsWith('/.well-known/') ||
  path.startsWith('/nodeinfo') ||
  /^\/users\/[^/]+(\/.*)?$/.test(path)

export const listen = async (
  ctx: Context,
  role: string,
  tools: { server(port: number): Promise<SharedServer>; health: Health },
): Promise<Listening> => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  const federation = role === 'federation'
  const operations = routedOperations()
  const dispatch = createDispatch(ctx, operations, tools.health.loopLag)
  app.use((req, res, next) => dispatch.handle(req, res, next))
  if (!federation) mountPages(app, ctx)
  app.use((_req, res) => {
    res.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
    res.end('Not Found')
  })
  const server = await tools.server(ctx.config.port)
  server.mount({
    matches: (path) => isFederationPath(path) === federation,
    request: (req, res) => app(req as never, res as never),
  })
  return {
    async stop(ms) {
      const end = performance.now() + ms
      while (dispatch.inHand() > 0 && performance.now() < end) await ctx.clock.sleep(20)
    },
  }
}
