/** What a scenario is, and how its result is judged and printed. */
import type { Product } from '@murmuration/testkit'
import type { Figure } from './measure.js'
import type { People } from './people.js'

export interface Bench {
  product: Product
  people: People
  /** Processes of the backing servers: PostgreSQL, NATS, Redis. */
  backing: { pg: number; nats: number; redis: number }
  seconds: number
  /** Pids of the product's processes by name. */
  pid(name: string): number
}

export interface Outcome {
  ours: Figure
  limit: Figure
}

export interface Scenario {
  name: string
  about: string
  limitIs: string
  /** `ratio`: the better of rate and CPU ratio must reach it. `latency`: ours may take so many times the limit's median. `memory`: most MiB. */
  /** Settings of the product for this scenario. */
  env?: Record<string, string>
  target: { kind: 'ratio' | 'latency' | 'memory'; value: number }
  run(bench: Bench): Promise<Outcome>
}

export interface Row {
  scenario: string
  ours: Figure
  limit: Figure
  rateRatio: number
  cpuRatio: number
  ratio: number
  target: Scenario['target']
  reached: boolean
}

export const judge = (scenario: Scenario, { ours, limit }: Outcome): Row => {
  const rateRatio = ours.rate / limit.rate
  const cpuRatio = limit.cpuUs / ours.cpuUs
  const { kind, value } = scenario.target
  const ratio =
    kind === 'latency' ? ours.p50 / limit.p50 : kind === 'memory' ? ours.rate : Math.max(rateRatio, cpuRatio)
  return {
    scenario: scenario.name,
    ours,
    limit,
    rateRatio,
    cpuRatio,
    ratio,
    target: scenario.target,
    reached: kind === 'ratio' ? ratio >= value : ratio <= value,
  }
}

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** The table as Markdown. */
export const table = (rows: readonly Row[]): string =>
  [
    '| Scenario | Ours /s | Limit /s | Ours CPU µs | Limit CPU µs | Rate ratio | CPU ratio | Result | Target | |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.scenario} | ${number(row.ours.rate)} | ${number(row.limit.rate)} | ${number(row.ours.cpuUs)} | ${number(row.limit.cpuUs)} | ${number(row.rateRatio)} | ${number(row.cpuRatio)} | ${number(row.ratio)}${row.target.kind === 'latency' ? '×' : row.target.kind === 'memory' ? ' MiB' : ''} | ${row.target.kind === 'ratio' ? '≥' : '≤'} ${row.target.value} | ${row.reached ? 'reached' : 'short'} |`,
    ),
  ].join('\n')
