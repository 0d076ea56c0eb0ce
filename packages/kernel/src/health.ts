/** HTTP port for operators: liveness, readiness and metrics of a process; in test mode also its queues and clock. */
import { createServer, type Server } from 'node:http'
import { watchLoopLag } from './loop-lag.js'
import { lag, registry, stuck } from './metrics.js'

/** Milliseconds until an idle connection is closed. Usual probes and scrapes repeat sooner, so they reuse a connection. */
const KEPT_MS = 65_000

export interface HealthCheck {
  /** Name of the check, such as `accounts.database`. */
  name: string
  healthy(): Promise<boolean>
  /** Reason in one line why the check fails; null if none is known. */
  reason?(): string | null
}

export interface Health {
  port: number
  /** Delay of the event loop in milliseconds, 99th percentile of the last second. */
  loopLag(): number
  setReady(ready: boolean): void
  /**
   * Reports that the process is not ready. Probes and scrapes still get responses, and each connection is closed after
   * its response.
   */
  drain(): void
  add(...checks: HealthCheck[]): void
  /** Adds liveness checks. Each returns the reason why the process must be restarted, or null. */
  addAlive(...checks: (() => string | null)[]): void
  /** Serves the result of `handler` as JSON under a path such as `/queues`, on this port only. */
  page(path: string, handler: (query: URLSearchParams, method: string) => Promise<unknown>): void
  close(): Promise<void>
}

/**
 * Starts the HTTP port for operators. It reports that the process is not ready until `setReady(true)`. Rejects if the port is
 * in use. `onStuck` is called with the reasons when `/livez` begins to fail.
 */
export const startHealth = async (
  host: string,
  port: number,
  onStuck: (reasons: readonly string[]) => void = () => {},
): Promise<Health> => {
  const checks: HealthCheck[] = []
  const aliveChecks: (() => string | null)[] = []
  const pages = new Map<string, (query: URLSearchParams, method: string) => Promise<unknown>>()
  let ready = false
  let draining = false
  let failing = false
  const loopLag = watchLoopLag((ms) => lag.set(ms / 1_000))

  const stuckReasons = () => (draining ? [] : aliveChecks.flatMap((check) => check() ?? []))
  Object.assign(stuck, { collect: () => stuck.set(stuckReasons().length) })

  const readiness = async () => {
    const results = await Promise.all(
      checks.map(async (check) => [check.name, await check.healthy().catch(() => false)] as const),
    )
    const reasons = checks.flatMap(({ name, reason }) => {
      const text = reason?.() ?? null
      return text === null ? [] : [[name, text] as const]
    })
    return {
      ready: ready && results.every(([, ok]) => ok),
      checks: Object.fromEntries(results),
      ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    }
  }
  const server: Server = createServer({ keepAliveTimeout: KEPT_MS }, (req, res) => {
    if (draining) res.shouldKeepAlive = false
    const url = URL.parse(req.url ?? '/', 'http://health')
    const send = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' })
      res.end(JSON.stringify(body))
    }
    const fails = (error: unknown) => send(500, { error: String((error as Error).message) })
    if (url === null) return send(404, { error: 'Not Found' })
    if (url.pathname === '/livez') {
      // A blocked event loop needs no check, because the probe then gets no response.
      const reasons = stuckReasons()
      if (reasons.length > 0 && !failing) onStuck(reasons)
      failing = reasons.length > 0
      return send(reasons.length === 0 ? 200 : 503, {
        alive: reasons.length === 0,
        ...(reasons.length > 0 && { reasons }),
      })
    }
    if (url.pathname === '/readyz') return void readiness().then((state) => send(state.ready ? 200 : 503, state), fails)
    if (url.pathname === '/metrics')
      return void registry.metrics().then((text) => {
        res.writeHead(200, { 'content-type': registry.contentType })
        res.end(text)
      }, fails)
    const page = pages.get(url.pathname)
    if (page) return void page(url.searchParams, req.method ?? 'GET').then((body) => send(200, body), fails)
    send(404, { error: 'Not Found' })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    loopLag: loopLag.ms,
    setReady: (value) => {
      ready = value
    },
    drain: () => {
      ready = false
      draining = true
    },
    add: (...more) => checks.push(...more),
    addAlive: (...more) => aliveChecks.push(...more),
    page: (path, handler) => pages.set(path, handler),
    close: () => {
      loopLag.stop()
      return new Promise((resolve) => {
        // Idle connections are closed immediately, and those with a response in progress after one second at the
        // latest.
        const cut = setTimeout(() => server.closeAllConnections(), 1_000)
        server.close(() => {
          clearTimeout(cut)
          resolve()
        })
      })
    },
  }
}
