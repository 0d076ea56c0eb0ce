/** Mounts the transports on the web server: WebSockets on any path, SSE below `/api/v1/streaming`. */
import { streamSocket } from '@murmuration/contracts/streaming'
import { type Health, type Listening, metric, registry as metrics, type SharedServer } from '@murmuration/kernel'
import { createRegistry } from './connection/index.js'
import type { Context } from './context.js'
import { createHub } from './feed/index.js'
import { manifest } from './manifest.js'
import { createEventStreams, createWebSockets } from './transport/index.js'

/** Maximum milliseconds over which a stopping process closes its connections. */
const CLOSE_MS = 5_000

export const listen = async (
  ctx: Context,
  _role: string,
  tools: { server(port: number): Promise<SharedServer>; health: Health },
): Promise<Listening> => {
  const registry = createRegistry(ctx)
  const hub = createHub(ctx, registry)
  const sockets = createWebSockets({ ctx, hub, registry })
  const streams = createEventStreams({ ctx, hub, registry })
  const gauge =
    metrics.getSingleMetric('murmuration_streaming_connections') ??
    new metric.Gauge({
      name: 'murmuration_streaming_connections',
      help: 'Open streaming connections',
      registers: [metrics],
    })
  ctx.onClose(
    'gauge',
    ctx.clock.every(5_000, () => (gauge as InstanceType<typeof metric.Gauge>).set(registry.count())),
  )
  const server = await tools.server(ctx.config.port || ctx.config.webPort)
  const { service } = manifest
  const base = streamSocket.http.path
  server.mount({
    service,
    matches: (path) => path === base || path.startsWith(`${base}/`),
    request: streams.request,
    upgrade: sockets.upgrade,
  })
  server.mount({ service, matches: () => true, upgrade: sockets.upgrade })
  return { stop: (ms) => registry.closeAll(registry.count() ? Math.min(ms, CLOSE_MS) : 0) }
}
