/** The manifest of a service: its operations, calls, events, jobs and ticks, and the roles in which it runs. */
import { type BusNeeds, type Permissions, permissionsOf } from '@murmuration/bus'
import type { RedisCommand } from '@murmuration/cache'
import type { AnyEvent, AnyJob, AnyOperation, Invalidation, Live, SharedKey } from '@murmuration/contracts/kit'
import type { JobEntry, OperationEntry, ReactionEntry, TickEntry } from './handlers.js'

/** A role of a service: its kinds of work, and the properties of its processes in a cluster. */
export interface RolePlan {
  /** Serves the service's operations: `true` for all, or only the listed ones. */
  operations?: boolean | readonly AnyOperation[]
  /** Runs the service's reactions. */
  reactions?: boolean
  /** Runs the service's ticks and sweeps its outbox. */
  ticks?: boolean
  /** Job queues that the role works on. */
  jobs?: readonly AnyJob[]
  /** HTTP or WebSocket listener of the role. */
  http?: { port: number; surface: string }
  /** Name of the metric that grows with the load of the role, for autoscalers. */
  scales: string
  /** Resources of the role. `internet` and `smtp` allow outgoing connections in network policies. */
  needs: readonly ('postgres' | 'nats' | 'redis' | 'redis-cache' | 'blob' | 'internet' | 'smtp')[]
  replicas?: { min: number; max: number }
  resources?: { cpu: string; memory: string }
  /** Threads of libuv's pool (`UV_THREADPOOL_SIZE`) for signatures, name lookups and files; Node's default is four. */
  threads?: number
  /** Container image target. */
  image?: 'app' | 'media'
}

/**
 * Redis access of a service. The Redis user of the service may run these commands on its own keys, also in scripts. The
 * Redis user may read the keys that other services share with it.
 */
export interface RedisPlan {
  /**
   * Commands that the service uses on the state in Redis, in lower case; none when absent. At its start, a process
   * probes each of them.
   */
  state?: readonly RedisCommand[]
  /** Commands that the service uses on the cache in Redis. */
  cache?: readonly RedisCommand[]
  /** Keys of this service that other services may read. */
  shares?: readonly SharedKey[]
  /** Keys of other services that this service reads. */
  reads?: readonly SharedKey[]
}

export interface Manifest {
  readonly service: string
  readonly operations: readonly OperationEntry[]
  readonly reactions: readonly ReactionEntry[]
  readonly jobs: readonly JobEntry[]
  readonly ticks: readonly TickEntry[]
  /** Operations of other services that this service calls. */
  readonly calls: readonly AnyOperation[]
  /** Events that the service announces. */
  readonly announces: readonly AnyEvent[]
  readonly invalidations: readonly Invalidation[]
  /**
   * Surfaces, such as `user` and `public`, of the live messages (`live.<surface>.<key>`) that the service publishes.
   */
  readonly live: readonly Live[]
  readonly receivesLive: boolean
  readonly writesPolicy: boolean
  readonly redis: RedisPlan
  /** False if the service stores no data in PostgreSQL. */
  readonly database: boolean
  readonly roles: Readonly<Record<string, RolePlan>>
}

type Optional =
  | 'reactions'
  | 'jobs'
  | 'ticks'
  | 'calls'
  | 'announces'
  | 'invalidations'
  | 'live'
  | 'receivesLive'
  | 'writesPolicy'
  | 'database'
  | 'redis'
  | 'operations'

/** A role as a service declares it. `others` stands for all operations or jobs that no other role of the service names. */
export interface DeclaredRole extends Omit<RolePlan, 'operations' | 'jobs'> {
  operations?: RolePlan['operations'] | 'others'
  jobs?: RolePlan['jobs'] | 'others'
}

type Declaration = Omit<Manifest, 'service' | 'roles' | Optional> &
  Partial<Pick<Manifest, Optional>> & {
    readonly roles: Readonly<Record<string, DeclaredRole>>
    /** Module of the service's contracts. The service announces its events and sends its cache invalidations. */
    readonly contracts?: object
  }

/** Messages of one kind that a service owns, from the exports of its contracts. */
const ownedBy = <T extends { kind: string; service: string }>(name: string, contracts: object, kind: T['kind']): T[] =>
  Object.values(contracts).filter((one): one is T => one?.kind === kind && one.service === name)

const listed = <T>(lists: readonly unknown[]): ReadonlySet<T> =>
  new Set(lists.flatMap((list) => (Array.isArray(list) ? (list as T[]) : [])))

/** Replaces `others` by the operations and jobs that no role names. */
const rolesOf = ({ roles, operations = [], jobs = [] }: Declaration): Manifest['roles'] => {
  const declared = Object.values(roles)
  const operationsNamed = listed<AnyOperation>(declared.map((one) => one.operations))
  const jobsNamed = listed<AnyJob>(declared.map((one) => one.jobs))
  const otherOperations = operations.map((one) => one.operation).filter((one) => !operationsNamed.has(one))
  const otherJobs = jobs.map((one) => one.job).filter((one) => !jobsNamed.has(one))
  return Object.fromEntries(
    Object.entries(roles).map(([name, { operations, jobs, ...role }]) => [
      name,
      {
        ...role,
        ...(operations !== undefined && { operations: operations === 'others' ? otherOperations : operations }),
        ...(jobs !== undefined && { jobs: jobs === 'others' ? otherJobs : jobs }),
      },
    ]),
  )
}

/** Declares a service. */
export const service = (name: string, { contracts = {}, ...declaration }: Declaration): Manifest => ({
  service: name,
  operations: [],
  reactions: [],
  jobs: [],
  ticks: [],
  calls: [],
  announces: ownedBy<AnyEvent>(name, contracts, 'event'),
  invalidations: ownedBy<Invalidation>(name, contracts, 'invalidation'),
  live: [],
  receivesLive: false,
  writesPolicy: false,
  database: true,
  redis: {},
  ...declaration,
  roles: rolesOf(declaration),
})

/** Operations that a process in these roles serves. */
export const servedBy = (plans: readonly RolePlan[], entries: readonly OperationEntry[]): OperationEntry[] =>
  entries.filter(({ operation }) =>
    plans.some(({ operations }) => (Array.isArray(operations) ? operations.includes(operation) : operations === true)),
  )

/** Durable name of a reaction. */
export const durableOf = (service: string, reaction: Pick<ReactionEntry, 'name'>): string =>
  `${service}_${reaction.name}`
/** Durable name of a queue. */
export const queueOf = (job: AnyJob): string =>
  `${job.service}_${job.name.slice(job.service.length + 1).replaceAll('.', '-')}`

/** Subjects and streams of the bus that a service uses, from its manifest. */
export const busNeedsOf = (manifest: Manifest): BusNeeds => ({
  service: manifest.service,
  calls: manifest.calls.map((one) => one.subject),
  listens: manifest.reactions.map((one) => ({
    owner: one.event.service,
    durable: durableOf(manifest.service, one),
    subject: one.event.subject,
  })),
  works: manifest.jobs.map((one) => ({ durable: queueOf(one.job), subject: one.job.subject })),
  live: manifest.live.map((one) => one.surface),
  receivesLive: manifest.receivesLive,
  writesPolicy: manifest.writesPolicy,
  operates: false,
})

/** Bus permissions of a service, from its manifest. */
export const busPermissionsOf = (manifest: Manifest): Permissions => permissionsOf(busNeedsOf(manifest))

/** Bus permissions of the operator's login, for `bin/ctl` and test tools. */
export const operatorNeeds = (calls: readonly string[]): BusNeeds => ({
  service: 'operator',
  calls,
  listens: [],
  works: [],
  live: [],
  receivesLive: false,
  writesPolicy: false,
  operates: true,
})
