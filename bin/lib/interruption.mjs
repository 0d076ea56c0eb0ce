/** Turns Ctrl-C, a stop signal or the end of npm into one request to stop. */
import { readFileSync } from 'node:fs'

/**
 * Repeated signals change nothing, because npm and the terminal often send the same one twice.
 * @returns {{signal: AbortSignal, stop: (reason?: Error) => void, over: Promise<void>}} stop: the same request from
 *   inside, with the reason that the signal then carries; over: fulfilled when a stop is asked for
 */
export function interruption() {
  const controller = new AbortController()
  const { signal } = controller
  const stop = (reason) => controller.abort(reason)
  for (const name of ['SIGINT', 'SIGTERM', ...(isIgnored(1) ? [] : ['SIGHUP'])]) process.on(name, () => stop())
  if (process.env.npm_lifecycle_event) watchParent(stop)
  const over = new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
  return { signal, stop, over }
}

/** Under nohup the end of the terminal is to be survived; a handler of ours would undo that. */
function isIgnored(signalNumber) {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
    return ((BigInt(`0x${mask}`) >> BigInt(signalNumber - 1)) & 1n) === 1n
  } catch {
    return false
  }
}

/** npm does not pass SIGKILL on, so a change of parent is the only sign that it is gone. */
function watchParent(stop) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 1_000).unref()
}
