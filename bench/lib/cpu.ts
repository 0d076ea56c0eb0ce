/** CPU time of processes and everything below them, from the kernel's books: steadier than rates on a noisy machine. */
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second; 100 on every Linux we run on. */
const TICKS = 100

interface Stat {
  parent: number
  /** Microseconds in user and kernel mode, own and of reaped children. */
  us: number
  rss: number
}

const statOf = (pid: number): Stat | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (i: number) => Number(fields[i] ?? 0)
    return {
      parent: number(1),
      us: ((number(11) + number(12) + number(13) + number(14)) / TICKS) * 1e6,
      rss: number(21) * 4096,
    }
  } catch {
    return null
  }
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
const family = (pids: readonly number[], all: ReadonlyMap<number, Stat>): Set<number> => {
  const members = new Set(pids)
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, stat] of all)
      if (!members.has(pid) && members.has(stat.parent)) {
        members.add(pid)
        grown = true
      }
  }
  return members
}

/** CPU microseconds used so far by these processes and their descendants. */
export const cpuOf = (pids: readonly number[]): number => {
  const all = everyone()
  return [...family(pids, all)].reduce((sum, pid) => sum + (all.get(pid)?.us ?? 0), 0)
}

/** Resident bytes of these processes and their descendants whose command is Node. */
export const nodeMemoryOf = (pids: readonly number[]): { pid: number; rss: number }[] => {
  const all = everyone()
  return [...family(pids, all)].flatMap((pid) => {
    const isNode = (() => {
      try {
        return (
          readFileSync(`/proc/${pid}/comm`, 'utf8').trim().startsWith('node') ||
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]?.endsWith('/node')
        )
      } catch {
        return false
      }
    })()
    return isNode ? [{ pid, rss: all.get(pid)?.rss ?? 0 }] : []
  })
}
