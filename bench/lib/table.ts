/** Formats results as a Markdown table. */
import type { Row, Target } from './scenario.js'

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const UNIT: Record<Target['kind'], string> = { ratio: '', latency: '×', tail: '×', count: '', memory: ' MiB' }

const cellsOf = ({ scenario, ours, limit, rateRatio, cpuRatio, result, target, reached }: Row): string[] => {
  const figures =
    target.kind === 'memory' || target.kind === 'count'
      ? Array.from({ length: 8 }, () => '–')
      : [ours.rate, limit.rate, ours.cpuUs, limit.cpuUs, ours.p50, limit.p50, rateRatio, cpuRatio].map(number)
  const sign = target.kind === 'ratio' ? '≥' : '≤'
  return [
    scenario,
    ...figures,
    `${number(result)}${UNIT[target.kind]}`,
    `${sign} ${target.value}${UNIT[target.kind]}`,
    reached ? 'reached' : 'short',
  ]
}

const HEADS = ['Scenario', 'Ours /s', 'Limit /s', 'Ours CPU µs', 'Limit CPU µs', 'Ours p50 ms', 'Limit p50 ms']

export const lineOf = (row: Row): string => `| ${cellsOf(row).join(' | ')} |`

export const tableOf = (rows: readonly Row[]): string => {
  const heads = [...HEADS, 'Rate ratio', 'CPU ratio', 'Result', 'Target', '']
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...rows.map(lineOf)].join('\n')
}

const partsOf = (parts: Record<string, number>): string =>
  Object.entries(parts)
    .filter(([, us]) => us >= 1)
    .map(([name, us]) => `${name} ${us.toFixed(0)}`)
    .join(', ')

/** CPU microseconds of one operation by process: of the product, and of the program of its limit. */
export const breakdownOf = ({ scenario, ours, limit }: Row): string =>
  `${scenario}: ours ${partsOf(ours.parts)}; limit ${partsOf(limit.parts)}`
