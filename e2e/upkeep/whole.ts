/** All services in the test process, with a record of executed jobs and an adjustable clock. */
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import type { Caller } from '@murmuration/contracts/kit'
import type { App, JobEntry, Manifest, TickEntry } from '@murmuration/kernel'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { loadAll } from '../../bin/services.js'

/** True for errors because a store or service was slow, which a busy machine causes. Such work is retried, as in production. */
export const isSlow = (error: unknown): boolean =>
  /took more than|took too long|temporary problem|timeout|did not respond/i.test(String(error))

/** Runs `work`, at most five times while a store or service is slow. */
export const patiently = async <T>(work: () => Promise<T>, tries = 5): Promise<T> =>
  work().catch((error: unknown) => (isSlow(error) && tries > 1 ? patiently(work, tries - 1) : Promise.reject(error)))

export interface Whole {
  cluster: Cluster
  manifests: readonly Manifest[]
  /** Runs of jobs so far by job name. Errors because of slowness are left out. */
  ran: Map<string, { times: number; errors: unknown[] }>
  /** The context of a service. */
  // biome-ignore lint/suspicious/noExplicitAny: each service has its own type of context.
  ctx(service: string): any
  /** Runs one tick now with the context of its service. Retries if a store was slow. */
  run(tick: TickEntry): Promise<void>
  /** The tick with this name. */
  tick(name: string): TickEntry
  /** Sets the clock of all services to real time plus `ms`. 0 resets it. */
  moveTo(ms: number): void
  /** Creates a local account and returns a caller for it. */
  account(username: string): Promise<Partial<Caller> & { id: string }>
}

export const startInOne = async (env: Record<string, string> = {}): Promise<Whole> => {
  const ran: Whole['ran'] = new Map()
  const recorded = (entry: JobEntry): JobEntry => {
    const note = async (work: () => Promise<void>) => {
      const record = ran.get(entry.job.name) ?? { times: 0, errors: [] }
      ran.set(entry.job.name, record)
      await work().catch((error: unknown) => {
        if (!isSlow(error)) record.errors.push(error)
        throw error
      })
      record.times++
    }
    const { run, runAll } = entry
    return {
      ...entry,
      run: (ctx, data, meta) => note(() => run(ctx, data, meta)),
      ...(runAll && { runAll: (...given: Parameters<typeof runAll>) => note(() => runAll(...given)) }),
    }
  }
  const apps: App[] = (await loadAll()).map((app) => ({
    ...app,
    manifest: { ...app.manifest, jobs: app.manifest.jobs.map(recorded) },
  }))
  const cluster = await startCluster({ apps, env })
  const manifests = apps.map((app) => app.manifest)
  const ctx = (service: string) => {
    const found = cluster.host.running.find((one) => one.service === service)
    if (!found) throw new Error(`${service} does not run`)
    return found.ctx
  }
  return {
    cluster,
    manifests,
    ran,
    ctx,
    async run(tick) {
      await patiently(() => tick.run(ctx(tick.name.split('.')[0] ?? '')))
    },
    tick(name) {
      const found = manifests.flatMap((manifest) => manifest.ticks).find((one) => one.name === name)
      if (!found) throw new Error(`no tick is called ${name}`)
      return found
    },
    moveTo: (ms) => ctx('accounts').clock.moveTo(ms),
    async account(username) {
      const input = { username, email: `${username}@example.org`, confirmed: true }
      const { id } = await patiently(() => cluster.call(createAccountByOperator, input))
      const app = { id: '1', tokenId: id, scopes: ['read', 'write', 'follow', 'push'] }
      return { id, viewer: viewer(id), app, ip: '127.0.0.1', userAgent: 'test' }
    },
  }
}
