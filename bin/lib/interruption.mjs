/** Combines Ctrl-C, stop signals, and the end of the terminal or of npm into one abort signal. */

/**
 * Repeated signals are ignored, because npm and the terminal often send the same one twice.
 * @returns {{signal: AbortSignal, stop: (reason?: Error) => void, over: Promise<void>}} stop: aborts the signal with this
 *   reason; over: fulfilled when the signal is aborted
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

/** Calls `stop` when the parent process of this process changes. That means that npm has ended by SIGKILL, which npm cannot forward. */
function watchParent(stop) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 1_000).unref()
}
