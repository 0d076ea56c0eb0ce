/**
 * Health check of a container with an init process: succeeds if /readyz responds 200. Ends the product process if it hangs, because Docker
 * restarts a container whose process ended, and not one that is unhealthy.
 *
 * | /livez | Meaning |
 * |---|---|
 * | 200 | the process works, or waits for a store |
 * | no listener | the process starts or stops |
 * | 503, or no response in five seconds | the process hangs if this repeats in six checks |
 *
 * The sixth failed check in a row sends SIGTERM, so that the process can stop in order: `/livez` then responds 200, and the process ends within
 * its own grace. A process that still gives no response in the next check is killed.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const hangsAfter = 6
const usualResponseWithin = 5_000
/** Milliseconds by which a timer of this check may be late. If it is later, the check got no CPU time, and says nothing about the process. */
const lateBy = 250
/**
 * Milliseconds after which a failed check no longer counts. Several checks were then left out, because checks are 10 to
 * 15 seconds apart.
 */
const countsFor = 60_000

/** Parent and start time of a process; null if it ended. */
const statOf = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return { parent: Number(fields[1]), startedAt: fields[19] }
  } catch {
    return null
  }
}

/** Pid of the roles that the init process of the container started; null if this process 1 runs the roles itself, and cannot be killed. */
const rolesOfContainer = () => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === 1)
  const pid = pids.find((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('/bin/serve.js'))
  return pid === undefined ? null : Number(pid)
}

/** Number of failed checks in a row of this process, as the last check stored it. */
const storedFailures = (file, process, now) => {
  try {
    const [of, failures, at] = readFileSync(file, 'utf8').split(' ')
    return of === process && now - Number(at) <= countsFor ? Number(failures) : 0
  } catch {
    return 0
  }
}

/** Status of a path of the health port; 0 without a listener, null without a response, and 'late' if this check itself was late. */
const statusOf = async (port, path, responseWithin) => {
  const begunAt = performance.now()
  try {
    return (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(responseWithin) })).status
  } catch (error) {
    if (error.cause?.code === 'ECONNREFUSED') return 0
    return performance.now() - begunAt > responseWithin + lateBy ? 'late' : null
  }
}

/**
 * Checks once. Returns whether the process is ready.
 * @param {{port: string, file: string, findRoles?: () => number | null, responseWithin?: number, now?: number}} options
 *   file: where the number of failed checks is stored; responseWithin: milliseconds; now: milliseconds since 1970
 */
export async function checkContainer(options) {
  const { port, file, findRoles = rolesOfContainer, responseWithin = usualResponseWithin, now = Date.now() } = options
  const alive = await statusOf(port, '/livez', responseWithin)
  if (alive === 200 || alive === 0) {
    rmSync(file, { force: true })
    return alive === 200 && (await statusOf(port, '/readyz', responseWithin)) === 200
  }
  const pid = findRoles()
  const stat = pid === null ? null : statOf(pid)
  if (stat === null) return false
  const earlier = storedFailures(file, stat.startedAt, now)
  // A late check does not count. It keeps the earlier ones, because all checks may be late while the process uses all CPU time.
  const failures = alive === 'late' ? earlier : earlier + 1
  // SIGTERM is sent once, because a second one ends a process without waiting for its work.
  if (alive !== 'late' && failures === hangsAfter) process.kill(pid, 'SIGTERM')
  else if (failures > hangsAfter && alive === null) process.kill(pid, 'SIGKILL')
  writeFileSync(file, `${stat.startedAt} ${failures} ${now}`)
  return false
}

if (import.meta.main) {
  const ready = await checkContainer({ port: process.env.HEALTH_PORT || '9090', file: join(tmpdir(), 'failed-checks') })
  process.exit(ready ? 0 : 1)
}
