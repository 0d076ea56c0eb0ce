/**
 * Health check of a container with an init process: succeeds if /readyz responds 200. Ends the product process if it hangs, because Docker
 * restarts a container whose process ended, and not one that is unhealthy.
 *
 * | /livez | Meaning |
 * |---|---|
 * | 200 | the process works, or waits for a store |
 * | no listener | the process starts or stops |
 * | 503, or no response in three seconds | the process hangs if this repeats in six checks |
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const hangsAfter = 6
const responseWithin = 3_000
/** Milliseconds between SIGTERM and SIGKILL. */
const stopsWithin = 2_000

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
const storedFailures = (file, process) => {
  try {
    const [of, failures] = readFileSync(file, 'utf8').split(' ')
    return of === process ? Number(failures) : 0
  } catch {
    return 0
  }
}

/** Status of a path of the health port; 0 without a listener, null without a response. */
const statusOf = (port, path) =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(responseWithin) }).then(
    (response) => response.status,
    (error) => (error.cause?.code === 'ECONNREFUSED' ? 0 : null),
  )

const end = async (pid) => {
  process.kill(pid, 'SIGTERM')
  for (let waited = 0; waited < stopsWithin && statOf(pid) !== null; waited += 100) await sleep(100)
  if (statOf(pid) !== null) process.kill(pid, 'SIGKILL')
}

/**
 * Checks once. Returns whether the process is ready.
 * @param {{port: string, file: string, findRoles?: () => number | null}} options file: where the number of failed checks is stored
 */
export async function checkContainer({ port, file, findRoles = rolesOfContainer }) {
  const alive = await statusOf(port, '/livez')
  if (alive === 200 || alive === 0) {
    rmSync(file, { force: true })
    return alive === 200 && (await statusOf(port, '/readyz')) === 200
  }
  const pid = findRoles()
  const stat = pid === null ? null : statOf(pid)
  if (stat === null) return false
  const failures = storedFailures(file, stat.startedAt) + 1
  writeFileSync(file, `${stat.startedAt} ${failures}`)
  if (failures >= hangsAfter) await end(pid)
  return false
}

if (import.meta.main) {
  const ready = await checkContainer({ port: process.env.HEALTH_PORT || '9090', file: join(tmpdir(), 'failed-checks') })
  process.exit(ready ? 0 : 1)
}
