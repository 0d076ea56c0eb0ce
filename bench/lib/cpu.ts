/**
 * Reads CPU time and memory of processes and their descendants from `/proc`. On a busy machine, CPU times vary less
 * than rates.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second (`sysconf(_SC_CLK_TCK)`). It is 100 on the supported systems. */
const TICKS = 100

interface Stat {
  parent: number
  /** CPU microseconds of ended child processes. */
  reapedUs: number
  /** CPU microseconds of the process itself, in steps of a tick (10 ms). */
  ownUs: number
}

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process ended after it was listed.
    return null
  }
}

const statOf = (pid: number): Stat | null => {
  const text = textOf(`/proc/${pid}/stat`)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const us = (i: number) => (Number(fields[i] ?? 0) / TICKS) * 1e6
  return { parent: Number(fields[1] ?? 0), ownUs: us(11) + us(12), reapedUs: us(13) + us(14) }
}

const allStats = (): Map<number, Stat> => {
  const all = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? statOf(pid) : null
    if (stat) all.set(pid, stat)
  }
  return all
}

/** Returns the pids and those of all descendants. */
const withDescendants = (pids: readonly number[], all: ReadonlyMap<number, Stat>): number[] => {
  const members = new Set(pids)
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, stat] of all)
      if (!members.has(pid) && members.has(stat.parent)) {
        members.add(pid)
        grown = true
      }
  }
  return [...members]
}

/** CPU microseconds of the running threads, from `schedstat`, which counts nanoseconds. Null if the kernel does not provide it. */
const preciseUs = (pid: number): number | null => {
  try {
    let us = 0
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const text = textOf(`/proc/${pid}/task/${task}/schedstat`)
      us += Number(text?.split(' ')[0] ?? 0) / 1_000
    }
    return us
  } catch {
    return null
  }
}

/** Process ids by the name in the report. */
export type Pids = Readonly<Record<string, number>>

/**
 * CPU microseconds used so far by each of these processes and its descendants, including ended ones. Takes the larger of two
 * counters: `schedstat` is exact but omits ended threads, `stat` counts in steps of 10 ms.
 */
export const cpuOf = (pids: Pids): Record<string, number> => {
  const all = allStats()
  const usOf = (pid: number) => {
    const stat = all.get(pid)
    return stat ? stat.reapedUs + Math.max(preciseUs(pid) ?? 0, stat.ownUs) : 0
  }
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [
      name,
      withDescendants([pid], all).reduce((sum, one) => sum + usOf(one), 0),
    ]),
  )
}

const isNode = (pid: number): boolean =>
  /(^|\/)node$/.test(textOf(`/proc/${pid}/cmdline`)?.split('\0')[0] ?? '') ||
  (textOf(`/proc/${pid}/comm`) ?? '').startsWith('node')

const kibIn = (text: string | null, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1] ?? 0)

export interface Memory {
  pid: number
  /** Last 80 characters of the command line. */
  what: string
  /** Resident bytes. Shared pages are counted in each process. */
  rss: number
  /** Resident bytes, with each shared page divided by the number of its processes. The sum over all processes is exact. */
  pss: number
}

/** Memory of each Node process among these processes and their descendants. */
export const nodeMemoryOf = (pids: readonly number[]): Memory[] =>
  withDescendants(pids, allStats())
    .filter(isNode)
    .map((pid) => ({
      pid,
      what: (textOf(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(1).join(' ').slice(-80),
      rss: kibIn(textOf(`/proc/${pid}/status`), 'VmRSS') * 1_024,
      pss: kibIn(textOf(`/proc/${pid}/smaps_rollup`), 'Pss') * 1_024,
    }))
