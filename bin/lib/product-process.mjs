/** Supervises one product process: restarts it with growing pauses when it ends or hangs. */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endingWithParent, endsWithin, startChild } from './child.mjs'
import { logLines } from './log-lines.mjs'
import { root } from './machine.mjs'
import { refusal, shown } from './say.mjs'
import { until } from './until.mjs'

const readyWithin = 60_000
const drainWithin = 25_000
/** Milliseconds between two liveness checks, and milliseconds without a successful check after which the process is ended. */
const usualGuard = { checkEvery: 10_000, hangsAfter: 30_000 }
/**
 * Milliseconds between SIGTERM and SIGKILL for a process that does not respond. A process that responds with 503 gets
 * `drainWithin`, because it can still stop in order.
 */
const stopsWithin = 2_000

/** Milliseconds before a process that ended is started again: 0 after its first end, then 1 s, doubled each time, at most 30 s. */
export const pauseBefore = (deaths) => (deaths === 0 ? 0 : Math.min(30_000, 1_000 * 2 ** Math.min(deaths - 1, 5)))

/** Whether a process runs with a debugger. Such a process is not checked for hanging, because the debugger may pause its event loop. */
const isDebugged = (env) => /--inspect/.test(env.NODE_OPTIONS ?? '')

/**
 * Starts a product process, and starts it again when it ends.
 * @param {{name: string, argv: string[], env: object, healthPort: number, logFile: string, hold: object,
 *   say: (text: string) => void, guard?: {checkEvery: number, hangsAfter: number}}} options env: the complete environment;
 *   healthPort: port of GET /readyz and GET /livez
 * @returns {{ready: Promise<void>, gaveUp: Promise<never>, pid: () => number | undefined, stop: () => Promise<void>}}
 *   ready: fulfilled when it is ready for the first time; gaveUp: rejects with the reason when it is not started again
 */
export function superviseProcess({ name, argv, env, healthPort, logFile, hold, say, guard = usualGuard }) {
  const log = logLines({ file: logFile, name, show: say })
  const stopping = new AbortController()
  let child
  /** Promise for the end of a hanging process while this supervisor ends it; else undefined. */
  let ending
  let becameReady
  const ready = new Promise((done) => {
    becameReady = done
  })

  const launch = () => {
    child = startChild({
      name,
      argv: [...endingWithParent('SIGTERM'), ...argv],
      stopSignal: 'SIGTERM',
      cwd: root,
      env: { ...env, HEALTH_PORT: String(healthPort) },
      output: 'pipe',
    })
    if (child.pid) hold.remember(child)
    log.dropError()
    log.read(child.stdout)
    log.read(child.stderr)
    return child
  }
  const because = () => (log.lastError() ? `: ${log.lastError()}` : `; see ${shown(logFile)}`)

  /** Waits for the end of a process, and ends it if it hangs. Returns true if the process hung. */
  const endOrHang = async (current) => {
    let aliveAt = performance.now()
    while (!isDebugged(env) && !stopping.signal.aborted && !(await endsWithin(current.ended, guard.checkEvery))) {
      const status = await statusOf(healthPort, '/livez')
      if (status === 200) aliveAt = performance.now()
      else if (performance.now() - aliveAt >= guard.hangsAfter && current.runs() && !stopping.signal.aborted) {
        ending = current.stop(status === null ? stopsWithin : drainWithin)
        await ending
        ending = undefined
        return true
      }
    }
    await current.ended
    return false
  }

  const watch = async () => {
    let wasReady = false
    for (let deaths = 0; !stopping.signal.aborted; deaths++) {
      const current = launch()
      let hung = false
      const responded = await until(() => !current.runs() || isReady(healthPort), {
        within: readyWithin,
        every: 100,
      })
      if (stopping.signal.aborted) return
      if (!responded) throw refusal(`${name} was not ready within ${readyWithin / 1000} s${because()}`)
      if (current.runs()) {
        wasReady = true
        becameReady()
        const since = Date.now()
        hung = await endOrHang(current)
        if (Date.now() - since > readyWithin) deaths = 0
      } else if (!wasReady && deaths > 0) {
        throw refusal(`${name} ended twice before it was ready (${await current.ended})${because()}`)
      }
      if (stopping.signal.aborted) return
      const pause = pauseBefore(deaths)
      const what = hung ? `failed its checks for ${guard.hangsAfter / 1_000} s and was ended` : 'ended by itself'
      say(`${name} ${what} (${await current.ended}); it starts again ${pause ? `in ${pause / 1000} s` : 'at once'}`)
      await sleep(pause, null, { signal: stopping.signal }).catch(() => {})
    }
  }
  const gaveUp = new Promise((_, reject) => {
    watch().catch(reject)
  })
  // Several processes may give up, and bin/lib/product.mjs uses only the first rejection.
  gaveUp.catch(() => {})

  const stop = async () => {
    stopping.abort()
    // A process that is being ended gets no second SIGTERM, because that would end it without waiting for its work.
    await (ending ?? child?.stop(drainWithin))
    await endsWithin(child?.closed ?? Promise.resolve(), 1_000)
    log.close()
  }
  return { ready, gaveUp, pid: () => child?.pid, stop }
}

/**
 * The connection for liveness checks is kept open. A new connection for every check would be a large share of the work
 * of an idle server.
 */
const agent = new Agent({ keepAlive: true })

/** Status of a path of the health port; null without a response. */
const statusOf = (port, path) =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, timeout: 2_000, agent }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(null))
  })

const isReady = async (port) => (await statusOf(port, '/readyz')) === 200
