/** CPU time and memory of processes and everything below them, from the kernel's books: steadier than rates on a noisy machine. */
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second; 100 on every Linux we run on. */
const TICKS = 100

interface Stat {
  parent: number
  /** Microseconds of children that ended and were waited for. */
  reapedUs: number
  /** Microseconds of its own, in steps of a tick. */
  ownUs: number
}

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended since it was listed.
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

const everyone = (): Map<number, Stat> => {
  const all = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? statOf(pid) : null
    if (stat) all.set(pid, stat)
  }
  return all
}

/** The pids and all their descendants. */
const family = (pids: readonly number[], all: ReadonlyMap<number, Stat>): number[] => {
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

/** Microseconds of the threads that live, from the scheduler to the nanosecond; null when the kernel does not say. */
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

/** Processes by the name they have in a report. */
export type Pids = Readonly<Record<string, number>>

/**
 * CPU microseconds used so far by each of these processes with its descendants, those that ended meanwhile included. The
 * larger of two books counts: one is exact but forgets threads that ended, the other goes by steps of ten milliseconds.
 */
export const cpuOf = (pids: Pids): Record<string, number> => {
  const all = everyone()
  const usOf = (pid: number) => {
    const stat = all.get(pid)
    return stat ? stat.reapedUs + Math.max(preciseUs(pid) ?? 0, stat.ownUs) : 0
  }
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, family([pid], all).reduce((sum, one) => sum + usOf(one), 0)]),
  )
}

const isNode = (pid: number): boolean =>
  /(^|\/)node$/.test(textOf(`/proc/${pid}/cmdline`)?.split('\0')[0] ?? '') ||
  (textOf(`/proc/${pid}/comm`) ?? '').startsWith('node')

const kibIn = (text: string | null, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1] ?? 0)

export interface Memory {
  pid: number
  /** What it runs, shortened. */
  what: string
  /** Bytes that stand in memory; pages that several processes share are counted in each. */
  rss: number
  /** The same with shared pages divided among those who share them: what adds up to the truth. */
  pss: number
}

/** Memory of those of these processes and their descendants that run Node. */
export const nodeMemoryOf = (pids: readonly number[]): Memory[] =>
  family(pids, everyone())
    .filter(isNode)
    .map((pid) => ({
      pid,
      what: (textOf(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(1).join(' ').slice(-80),
      rss: kibIn(textOf(`/proc/${pid}/status`), 'VmRSS') * 1_024,
      pss: kibIn(textOf(`/proc/${pid}/smaps_rollup`), 'Pss') * 1_024,
    }))
