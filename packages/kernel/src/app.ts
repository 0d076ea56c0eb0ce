/**
 * Starts one service in the requested roles: streams, endpoints, workers and ticks. Stops the service in the reverse
 * order.
 */
import {
  awaitEndpoints,
  type ConsumerPlan,
  eventStream,
  jobStream,
  registerService,
  type Worker,
} from '@murmuration/bus'
import { type KernelOperations, kernelOf } from '@murmuration/contracts/kernel'
import { type AnyOperation, internal, operation, VERSION } from '@murmuration/contracts/kit'
import { z } from 'zod'
import { type Backlog, startBacklog, type Watched } from './backlog.js'
import type { CommonConfig } from './config.js'
import { type BaseContext, type KernelContext, openBase } from './context.js'
import { keepDayCounts } from './day-counts.js'
import type { OperationEntry, TickEntry } from './handlers.js'
import type { Health } from './health.js'
import type { SharedServer } from './http.js'
import { Leases } from './leases.js'
import { durableOf, type Manifest, queueOf, type RolePlan, servedBy } from './manifest.js'
import { outboxOldest, outboxUnsent } from './metrics.js'
import { deleteOldRows } from './old-rows.js'
import { serveOperation } from './operations.js'
import { missingEvents, type OperatorOptions, operatorHandlers } from './operator.js'
import { awaitLoaded } from './policy.js'
import { createProcessedLog } from './processed-log.js'
import { LEASE_MS, rerunEvent, restoredJob, startQueue, startReaction, type WorkContext } from './reactions.js'
import { reconcile } from './reconcile.js'
import { redisChecks } from './redis.js'
import { createNeeds, type Needs } from './role-resources.js'
import { ConfigError } from './settings.js'
import { streamsOf } from './streams.js'
import type { SuspectLock } from './suspect-lock.js'
import { startTick, type TickOptions } from './ticks.js'
import { keepTopology } from './topology.js'

export interface Listening {
  /** Stops accepting requests, and waits at most `ms` milliseconds for those in progress. */
  stop(ms: number): Promise<void>
}

/** The parts of a service that its `main.ts` provides: manifest, context, and in the gateway and streaming the HTTP listener. */
// biome-ignore lint/suspicious/noExplicitAny: a process contains apps with contexts of every type.
export interface App<C = any> {
  readonly manifest: Manifest
  createContext(base: BaseContext<never>): Promise<C> | C
  /** Throws a ConfigError when a setting of this service is wrong. `checkSettings` is called before anything connects. */
  checkSettings?(env: NodeJS.ProcessEnv, common: CommonConfig, needs: Needs): unknown
  /** Milliseconds until Redis counts as unavailable when it does not respond; default 100. */
  redisTimeoutMs?(env: NodeJS.ProcessEnv): number
  /** Starts the HTTP listener. `server` returns the server for a port, which services of one process share. */
  listen?(
    ctx: C,
    role: string,
    tools: { server(port: number): Promise<SharedServer>; health: Health },
  ): Promise<Listening>
}

export interface Running {
  service: string
  ctx: BaseContext
  /** Stops the HTTP listener: requests in progress are finished and streams are closed, within `ms` milliseconds. */
  stopListening(ms: number): Promise<void>
  /**
   * Stops the service in this order: readiness, listeners, handlers, outbox, bus connection, stores. Messages that are
   * not handled after `ms` milliseconds are returned to the bus.
   */
  stop(ms?: number): Promise<void>
}

/**
 * The reconciliation request, which the service sends to consumers of its events. No other request goes to a service of
 * a higher layer (`docs/architecture.md`).
 */
const lacking = (service: string): AnyOperation =>
  operation(`${service}.ops.lacking`, {
    viewer: internal(),
    input: z.record(z.string(), z.unknown()),
    output: z.unknown(),
    about: 'Which of these events a reaction has not recorded.',
  })

/** Operations that the kernel adds to a service with a database. */
const kernelEntries = (manifest: Manifest, options: OperatorOptions): OperationEntry[] => {
  const { service } = manifest
  const durables = new Set(consumers(manifest).map((one) => one.durable))
  const operations = kernelOf(service)
  const handlers = Object.entries(operatorHandlers(options)) as [
    keyof KernelOperations,
    (input: unknown) => Promise<unknown>,
  ][]
  return [
    {
      entry: 'operation',
      operation: lacking(service),
      run: (_ctx, _viewer, input) => missingEvents(options.db, durables, input),
    },
    ...handlers.map(
      ([name, handler]): OperationEntry => ({
        entry: 'operation',
        operation: operations[name],
        run: (_ctx, _viewer, input) => handler(input),
      }),
    ),
  ]
}

const consumers = (manifest: Manifest): ConsumerPlan[] => [
  ...manifest.reactions.map((one) => ({
    stream: eventStream(one.event.service),
    durable: durableOf(manifest.service, one),
    filter: one.event.subject,
    ackWaitMs: LEASE_MS,
    maxAckPending: 1_000,
  })),
  ...manifest.jobs.map((one) => ({
    stream: jobStream(manifest.service),
    durable: queueOf(one.job),
    filter: one.job.subject,
    ackWaitMs: LEASE_MS,
    maxAckPending: 2_000,
  })),
]

/** Consumers whose messages a process in the roles of `plans` handles. */
const watchedBy = (manifest: Manifest, plans: readonly (readonly [string, RolePlan])[]): Watched[] => {
  const own = [eventStream(manifest.service), jobStream(manifest.service)]
  const queues = new Map(manifest.jobs.map((one) => [queueOf(one.job), one.job]))
  const works = (durable: string, plan: RolePlan): boolean => {
    const job = queues.get(durable)
    return job ? (plan.jobs?.includes(job) ?? false) : plan.reactions === true
  }
  return consumers(manifest)
    .map(({ stream, durable, filter }) => ({
      stream,
      durable,
      filter,
      own: own.includes(stream),
      roles: plans.filter(([, plan]) => works(durable, plan)).map(([role]) => role),
    }))
    .filter((one) => one.roles.length > 0)
}

const machineryTicks = (
  manifest: Manifest,
  insides: KernelContext,
  base: BaseContext,
  options: TickOptions,
): (() => Promise<void>)[] => {
  const { service } = manifest
  const tick = (
    name: string,
    everyMs: number,
    run: () => Promise<unknown>,
    more: Partial<Pick<TickEntry, 'alone' | 'elsewhere'>> = {},
  ) =>
    startTick(
      { entry: 'tick', name: `${service}.${name}`, everyMs, alone: true, ...more, run: async () => void (await run()) },
      options,
    )
  return [
    // Each process may run this tick (`alone: false`), because it selects rows by state and locks them.
    tick('sweep-outbox', 5_000, () => insides.outbox.sweep(), { alone: false }),
    tick('reconcile', 60_000, () =>
      reconcile({ manifest, db: base.db, nc: insides.nc, jsm: insides.jsm, log: base.log }),
    ),
    tick('measure', 15_000, () => insides.outbox.state(), {
      elsewhere: () => {
        outboxUnsent.remove({ service })
        outboxOldest.remove({ service })
      },
    }),
    tick('purge', 60_000, async () => {
      await deleteOldRows(base.db)
      await keepDayCounts(base.db)
    }),
  ]
}

/** Plans of these roles. Throws a ConfigError for an unknown role. */
export const plansOf = (manifest: Manifest, roles: readonly string[]): (readonly [string, RolePlan])[] =>
  roles.map((role) => {
    const plan = manifest.roles[role]
    if (!plan)
      throw new ConfigError(
        `${manifest.service} has no role "${role}"; it has ${Object.keys(manifest.roles).join(', ')}.`,
      )
    return [role, plan]
  })

/** Starts one service in these roles. */
export const startApp = async (
  app: App,
  roles: readonly string[],
  shared: Parameters<typeof openBase>[1] & {
    health: Health
    suspectLock: SuspectLock
    server(port: number): Promise<SharedServer>
  },
): Promise<Running> => {
  const { manifest } = app
  const plans = plansOf(manifest, roles)
  const needs = createNeeds(manifest.service, plans)
  const { base, insides } = await openBase(manifest, shared, needs, app.redisTimeoutMs?.(shared.env))
  const ctx = await app.createContext(base as BaseContext<never>)
  const inHand = new Set<Promise<unknown>>()
  const topology = keepTopology({
    streams: streamsOf(manifest),
    consumers: consumers(manifest),
    limits: { replicas: base.common.natsReplicas, maxBytes: base.common.natsStreamBytes },
    nc: insides.nc,
    jsm: insides.jsm,
    outbox: manifest.database ? insides.outbox : null,
    log: base.log,
  })
  insides.publisher.onMissing(topology.check)
  const has = (what: keyof RolePlan) => plans.some(([, plan]) => plan[what])

  const watched = watchedBy(manifest, plans)
  const backlog: Backlog = startBacklog(manifest.service, insides.jsm, watched)
  const work: WorkContext = {
    delivered: backlog.delivered,
    onMissing: topology.check,
    service: manifest.service,
    ctx,
    nc: insides.nc,
    db: base.db,
    markProcessed: createProcessedLog(base.db, base.batchPause),
    ids: base.ids,
    log: base.log,
    faults: base.faults,
    suspectLock: shared.suspectLock,
    batchPause: base.batchPause,
    stuckAfterMs: base.common.stuckAfter * 1_000,
  }
  const leases = manifest.database ? new Leases(base.db) : null
  const tickOptions: TickOptions = {
    service: manifest.service,
    ctx,
    leases,
    clock: base.clock,
    log: base.log,
    faults: base.faults,
  }
  const entries = servedBy(
    plans.map(([, plan]) => plan),
    manifest.operations,
  )
  if (manifest.database && has('operations'))
    entries.push(
      ...kernelEntries(manifest, {
        service: manifest.service,
        db: base.db,
        jsm: insides.jsm,
        outbox: insides.outbox,
        clock: base.clock,
        jobOf: (letter) => restoredJob(manifest, letter),
        redo: (letter) => rerunEvent(work, manifest, letter),
      }),
    )
  // Opens the first connection now. Otherwise the first requests would wait for it, and fail on a busy machine.
  if (entries.length && manifest.database) await base.db.healthy()
  const endpoint = entries.length ? await registerService(insides.nc, manifest.service, VERSION) : null
  if (endpoint)
    for (const entry of entries)
      serveOperation(endpoint, entry, {
        service: manifest.service,
        ctx,
        log: base.log,
        faults: base.faults,
        checkOutputs: base.common.mode !== 'production',
        inHand,
        waitedMs: insides.stalls.waitedMs,
      })

  const workers: Worker[] = [
    ...(has('reactions') ? manifest.reactions.map((entry) => startReaction(work, entry)) : []),
    ...manifest.jobs
      .filter((entry) => plans.some(([, plan]) => plan.jobs?.includes(entry.job)))
      .map((entry) => startQueue(work, entry)),
  ]
  const ticks = has('ticks')
    ? [
        ...manifest.ticks.map((entry) => startTick(entry, tickOptions)),
        ...(manifest.database ? machineryTicks(manifest, insides, base, tickOptions) : []),
      ]
    : []
  if (base.common.edgeWait > 0 && plans.some(([, plan]) => plan.http)) {
    const waitMs = base.common.edgeWait * 1_000
    // The policy is in a bucket of NATS, so it is also loaded while no process of the admin service runs.
    const [missing, isLoaded] = await Promise.all([
      awaitEndpoints(insides.nc, manifest.calls, waitMs),
      awaitLoaded(base.policy, waitMs),
    ])
    if (!isLoaded)
      base.log.warn({}, 'opens although the instance policy is not loaded; blocks of IP addresses have no effect yet')
    if (missing.length > 0)
      base.log.warn(
        { operations: missing.length, such: missing.slice(0, 3) },
        'opens although some operations have no responder; requests for them get 503',
      )
  }
  const listening = await Promise.all(
    plans
      .filter(([, plan]) => plan.http && app.listen)
      .map(([role]) => app.listen?.(ctx, role, { server: shared.server, health: shared.health })),
  )

  shared.health.addAlive(...workers.map((worker) => () => worker.stuck()))
  const missing = () => topology.missing(watched.map((one) => one.durable))
  // Waits until the bus has confirmed all subscriptions. Only then does the service report that it is ready.
  await insides.nc.flush()
  shared.health.add(
    ...(manifest.database ? [{ name: `${manifest.service}.database`, healthy: () => base.db.healthy() }] : []),
    ...redisChecks(manifest.service, needs, base),
    {
      name: `${manifest.service}.bus`,
      healthy: async () =>
        !insides.nc.isClosed() &&
        (await Promise.race([insides.nc.rtt().then(() => true), base.clock.sleep(1_000).then(() => false)])),
    },
    {
      name: `${manifest.service}.streams`,
      healthy: async () => missing() === null,
      reason: missing,
    },
  )
  let listenersEnd: Promise<unknown> | undefined
  const stopListening = async (ms: number): Promise<void> => {
    listenersEnd ??= Promise.all(listening.map((one) => one?.stop(ms)))
    await listenersEnd
  }
  return {
    service: manifest.service,
    ctx,
    stopListening,
    async stop(ms = 20_000) {
      const until = performance.now() + ms
      const left = () => Math.max(500, until - performance.now())
      topology.stop()
      backlog.stop()
      const ticking = Promise.all(ticks.map((stopTick) => stopTick()))
      await stopListening(left())
      await endpoint?.stop().catch(() => undefined)
      await Promise.all(workers.map((worker) => worker.stop(left())))
      await Promise.race([Promise.allSettled([ticking, ...inHand]), base.clock.sleep(left())])
      // If the release fails, another process runs the ticks after the leases have expired.
      await leases?.release().catch(() => undefined)
      // Closes resources in reverse order of opening: those of the context first, then the policy, the outbox, the bus
      // and the database.
      for (const { name, close } of insides.closers.toReversed())
        await Promise.resolve(close()).catch((error: unknown) =>
          base.log.warn({ name, error }, 'did not close cleanly'),
        )
    },
  }
}
