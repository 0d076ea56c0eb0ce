/** Turns Ctrl-C, a stop signal, the end of the terminal or of npm into one request to stop. */

/**
 * Repeated signals change nothing, because npm and the terminal often send the same one twice.
 * @returns {{signal: AbortSignal, stop: (reason?: Error) => void, over: Promise<void>}} stop: the same request from
 *   inside, with the reason that the signal then carries; over: fulfilled when a stop is asked for
 */
export function interruption() {
  const controller = new AbortController()
  const { signal } = controller
  const stop = (reason) => controller.abort(reason)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop())
  if (process.env.npm_lifecycle_event) watchParent(stop)
  const over = new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
  return { signal, stop, over }
}

/** npm does not pass SIGKILL on, so a change of parent is the only sign that it is gone. */
function watchParent(stop) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 1_000).unref()
}
