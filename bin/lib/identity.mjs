/** Tells whether a process that was written down earlier is the one that has its number now. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When a process began, as a text that no later process of the same number shares; null when there is none.
 * Numbers of processes are used again, soon after a reboot or in a container, so the number alone proves nothing.
 */
export function bornAt(pid) {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null
  }
  try {
    // The name of the program may hold spaces and brackets, so fields are counted after its closing bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    if (fields[0] === 'Z') return null
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`
  } catch {
    return null
  }
}

/** A process as it is written down: number and birth. */
export const identityOf = (pid) => ({ pid, born: bornAt(pid) })

/** True while exactly this process runs. */
export const isRunning = ({ pid, born }) => born !== null && bornAt(pid) === born
