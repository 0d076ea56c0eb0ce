/** What a scenario is, and how its result is judged. */
import type { Product } from '@murmuration/testkit'
import type { Pids } from './cpu.js'
import type { Figure } from './measure.js'
import type { People } from './people.js'

/** Everything but the edge: what one process of services holds when there is only one. */
export const ROOMS = ['accounts', 'statuses', 'notifications', 'admin', 'federation', 'media'] as const

/** Loopback and plain HTTP are refused in production; the process of federation alone is told that this is a test. */
export const DELIVERING = { work: { MODE: 'test', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' } }

export interface ProductPlan {
  /** Process name → its services; as `npm start` lays them out when absent. */
  table?: Record<string, readonly string[]>
  /** Settings of the product for this scenario. */
  env?: Record<string, string>
  /** Settings of single processes. */
  first?: Record<string, Record<string, string>>
}

export interface Started {
  product: Product
  people: People
  /** Every process that may take part: all of the product, PostgreSQL, NATS and Redis. */
  path(): Pids
  /** Has the database look at what is in its tables; before measuring, once they are filled. */
  analyze(): Promise<void>
}

export interface Bench {
  /** Processes of the backing servers. */
  backing: { pg: number; redis: number }
  /** How much of what a scenario usually writes before it measures: 1, or the `--scale` of the command. */
  scale: number
  /** Starts a product of the scenario's own on empty data; stopped when the scenario is over. */
  start(plan?: ProductPlan): Promise<Started>
}

export interface Outcome {
  ours: Figure
  limit: Figure
}

/**
 * `ratio`: the better of rate and CPU ratio must reach the value. `latency`: our median may be so many times the limit's;
 * `tail`: the same for the slowest of a hundred. `count`: most operations, told as our rate. `memory`: most MiB, likewise.
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
  /** What the target is compared with. */
  result: number
  target: Target
  reached: boolean
}

const resultOf = ({ kind }: Target, { ours, limit }: Outcome): number => {
  if (kind === 'latency') return ours.p50 / limit.p50
  if (kind === 'tail') return ours.p99 / limit.p99
  return kind === 'ratio' ? Math.max(ours.rate / limit.rate, limit.cpuUs / ours.cpuUs) : ours.rate
}

export const judge = ({ name, target }: Scenario, outcome: Outcome): Row => {
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
