/** Identity of processes: a process id and its start time, because process ids are reused. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Start time of a process as a text that no other process with the same id has; null when there is no such process.
 * Process ids are reused, soon after a reboot or in a container.
 */
export function bornAt(pid) {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null
  }
  try {
    // The fields in /proc/PID/stat are counted after the last bracket of the program name, which may contain spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    if (fields[0] === 'Z') return null
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`
  } catch {
    return null
  }
}

/** Record that identifies a process: its id and its start time. */
export const identityOf = (pid) => ({ pid, born: bornAt(pid) })

/** Whether the process that the record identifies still runs. */
export const isRunning = ({ pid, born }) => born !== null && bornAt(pid) === born
