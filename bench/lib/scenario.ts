/** Types of scenarios and results, and the comparison of a result with its target. */
import type { Product } from '@murmuration/testkit'
import type { Pids } from './cpu.js'
import type { Figure } from './measure.js'
import type { Users } from './users.js'

/** All services except the edge (gateway and streaming). */
export const SERVICES = ['accounts', 'statuses', 'notifications', 'admin', 'federation', 'media'] as const

/** Settings of the process with federation: production mode refuses loopback addresses and plain HTTP. */
export const DELIVERING = { work: { MODE: 'test', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' } }

export interface ProductPlan {
  /** Services of each process, by process name. Default: the processes of `npm start`. */
  table?: Record<string, readonly string[]>
  /** Settings of the product for this scenario. */
  env?: Record<string, string>
  /** Settings of single processes, by process name. */
  first?: Record<string, Record<string, string>>
}

export interface Started {
  product: Product
  users: Users
  /** All processes that may take part: those of the product, PostgreSQL, NATS and Redis. */
  path(): Pids
  /** Runs ANALYZE. Called before measuring, when the tables are filled. */
  analyze(): Promise<void>
}

export interface Bench {
  /** Process ids of PostgreSQL and Redis. */
  backing: { pg: number; redis: number }
  /** Factor for the amount of data that a scenario inserts before it measures: `--scale`, by default 1. */
  scale: number
  /** Starts the product with an empty database. It is stopped when the scenario ends. */
  start(plan?: ProductPlan): Promise<Started>
}

export interface Outcome {
  ours: Figure
  limit: Figure
}

/**
 * - `ratio`: minimum of the better one of rate ratio and CPU ratio.
 * - `latency`: maximum of our median latency divided by that of the limit.
 * - `tail`: maximum of our 99th percentile divided by that of the limit.
 * - `count`: maximum number of operations, which the scenario returns as our rate.
 * - `memory`: maximum of MiB, which the scenario returns as our rate.
 */
export interface Target {
  kind: 'ratio' | 'latency' | 'tail' | 'count' | 'memory'
  value: number
}

export interface Scenario {
  name: string
  about: string
  limitIs: string
  target: Target
  run(bench: Bench): Promise<Outcome>
}

export interface Row extends Outcome {
  scenario: string
  rateRatio: number
  cpuRatio: number
  /** Value that is compared with the target. */
  result: number
  target: Target
  reached: boolean
}

const resultOf = ({ kind }: Target, { ours, limit }: Outcome): number => {
  if (kind === 'latency') return ours.p50 / limit.p50
  if (kind === 'tail') return ours.p99 / limit.p99
  return kind === 'ratio' ? Math.max(ours.rate / limit.rate, limit.cpuUs / ours.cpuUs) : ours.rate
}

/** Compares the figures of a scenario with its target. */
export const evaluate = ({ name, target }: Scenario, outcome: Outcome): Row => {
  const { ours, limit } = outcome
  const result = resultOf(target, outcome)
  return {
    scenario: name,
    ours,
    limit,
    rateRatio: ours.rate / limit.rate,
    cpuRatio: limit.cpuUs / ours.cpuUs,
    result,
    target,
    reached: target.kind === 'ratio' ? result >= target.value : result <= target.value,
  }
}
