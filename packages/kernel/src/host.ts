/**
 * Runs one or more services, each in the requested roles, in one process. The services share a health port, and are
 * started and stopped in order.
 */
import { shutdownTelemetry } from '@murmuration/telemetry'
import { type App, plansOf, type Running, startApp } from './app.js'
import { trustAuthorities } from './authorities.js'
import { createClock } from './clock.js'
import { readCommonConfig, siteOf } from './config.js'
import { createFaults } from './faults.js'
import { startHealth } from './health.js'
import { openServer, type SharedServer } from './http.js'
import { createLog } from './log.js'
import { startProcessMetrics } from './metrics.js'
import { createNeeds } from './role-resources.js'
import { ConfigError } from './settings.js'
import { createSuspectLock } from './suspect-lock.js'

export interface HostedApp {
  app: App
  /** Roles to run; all when absent. */
  roles?: readonly string[]
}

export interface Host {
  running: Running[]
  healthPort: number
  /** Milliseconds from a signal until the process must have ended. */
  graceMs: number
  /**
   * Stops all services in order. Messages that are not handled shortly before STOP_GRACE_SECONDS is over are returned
   * to the bus.
   */
  stop(): Promise<void>
}

/** Milliseconds at the end of the stop that are reserved for closing the outbox, the bus, the stores and telemetry. */
const CLOSING_MS = 4_000
/** A listener is closed when no new connection arrived for this number of milliseconds. */
const QUIET_MS = 500

/** Starts the apps; resolves when all of them are ready. */
export const startHost = async (apps: readonly HostedApp[], env: NodeJS.ProcessEnv = process.env): Promise<Host> => {
  const common = readCommonConfig(env)
  trustAuthorities(common)
  for (const { app, roles } of apps) {
    const plans = plansOf(app.manifest, roles ?? Object.keys(app.manifest.roles))
    app.checkSettings?.(env, common, createNeeds(app.manifest.service, plans))
  }
  const clock = createClock(common.mode === 'test' ? common.testClockOffsetMs : 0)
  const faults = createFaults(common.mode === 'test' ? common.faultPoints : '')
  const log = createLog({ service: 'host', level: common.logLevel })
  const health = await startHealth(common.healthHost, common.healthPort, (reasons) =>
    log.error({ reasons }, '/livez fails, so that this process is restarted'),
  )
  const suspectLock = createSuspectLock()
  const servers = new Map<number, Promise<SharedServer>>()
  const server = (port: number) => {
    const known =
      servers.get(port) ?? openServer(env.BIND || '0.0.0.0', port, { ...common, https: siteOf(common).https })
    servers.set(port, known)
    return known
  }
  if (common.mode === 'test')
    health.page('/clock', async (query) => {
      if (query.has('offset_ms')) clock.moveTo(Number(query.get('offset_ms')))
      return { offset_ms: clock.offset(), now: clock.date().toISOString() }
    })
  const running = await Promise.all(
    apps.map(({ app, roles }) =>
      startApp(app, roles ?? Object.keys(app.manifest.roles), {
        common,
        clock,
        faults,
        log: createLog({ service: app.manifest.service, level: common.logLevel }),
        env,
        health,
        suspectLock,
        server,
      }),
    ),
  )
  for (const one of await Promise.all(servers.values())) one.complete()
  health.setReady(true)
  log.info({ services: running.map((one) => one.service), health: health.port }, 'ready')
  // The delay gives load balancers time to stop sending requests. Tests and development have no load balancer, and no
  // delay.
  const delayMs = common.mode === 'production' || env.STOP_DELAY_SECONDS ? common.stopDelay * 1_000 : 0
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      const until = performance.now() + common.stopGrace * 1_000 - CLOSING_MS
      const left = () => Math.max(1_000, until - performance.now())
      health.drain()
      const open = await Promise.all(servers.values())
      for (const one of open) one.drain()
      await clock.sleep(delayMs)
      const quietMs = delayMs ? QUIET_MS : 0
      await Promise.all(open.map((one) => one.stopListening(quietMs, Math.min(5 * quietMs, left() / 2))))
      // Gateway and streaming stop first, so that their requests in progress still find the other services. The stores
      // and bus connections of both stay open until no connection is left on which a request may arrive.
      const edge = running.filter((one) => ['gateway', 'streaming'].includes(one.service))
      await Promise.all(edge.map((one) => one.stopListening(left())))
      await Promise.all(open.map((one) => one.close(1_000)))
      await Promise.all(edge.map((one) => one.stop(left())))
      await Promise.all(running.filter((one) => !edge.includes(one)).map((one) => one.stop(left())))
      await health.close()
      await shutdownTelemetry()
    })()
    return stopping
  }
  return { running, healthPort: health.port, graceMs: common.stopGrace * 1_000, stop }
}

/**
 * Text of an error in one line if an operator can fix it, such as a port in use. Other errors are logged with their
 * stack trace.
 */
export const startRefusal = (error: NodeJS.ErrnoException & { errors?: unknown[] }): string => {
  if (error instanceof ConfigError) return error.message
  // The error of a name with several addresses has one error for each address, and no message of its own.
  const parts = (error.errors ?? []).map((one) => (one as Error).message)
  const text = [error.message, ...parts].filter(Boolean).join('; ') || error.code
  return `Cannot start: ${(error.syscall || parts.length > 0 ? text : error.stack) || text || String(error)}`
}

/** Runs until a signal. A crash is logged and ends with status 1. */
export const runHost = async (apps: readonly HostedApp[]): Promise<void> => {
  startProcessMetrics()
  let host: Host
  try {
    host = await startHost(apps)
  } catch (error) {
    process.stderr.write(`${startRefusal(error as NodeJS.ErrnoException)}\n`)
    process.exit(1)
  }
  const log = createLog({ service: 'host', level: 'info' })
  const leave = (code: number) => {
    setTimeout(() => process.exit(code), host.graceMs).unref()
    host.stop().then(() => {
      process.exitCode = code
      // Ends the process also if an open timer or socket keeps its event loop running.
      setTimeout(() => process.exit(code), 1_000).unref()
    })
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => leave(0))
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'unexpected failure; stopping')
    leave(1)
  })
  process.on('unhandledRejection', (error) => {
    log.fatal({ error }, 'unexpected rejection; stopping')
    leave(1)
  })
}
