/** Tracing of this process: whether it records spans, and how to flush them. The preload and the application share this state. */

/** Handle of a started SDK. */
export interface StartedTelemetry {
  /** Sends the buffered spans and closes the exporter. */
  shutdown: () => Promise<void>
}

// The state is stored under a registered symbol, like that of the OpenTelemetry API. Loaders may give preload and
// application two copies of this module, which must share the state.
const slot = Symbol.for('murmuration.telemetry')
const holder = globalThis as { [slot]?: StartedTelemetry }

/** True when the preload started recording. The check is one property read, so hot paths may call it. */
export const isTelemetryOn = (): boolean => holder[slot] !== undefined

/** Turns recording on for this process; called by the preload once the SDK runs. */
export const setStarted = (started: StartedTelemetry): void => {
  holder[slot] = started
}

/**
 * Sends the buffered spans and stops recording. The last action of a process before it ends. Resolves immediately when
 * telemetry is off. The promise never rejects, so that an unreachable collector does not fail the stop.
 * @param withinMs longest wait in milliseconds; unsent spans are dropped then
 * @example await shutdownTelemetry()
 */
export const shutdownTelemetry = async (withinMs = 3_000): Promise<void> => {
  const started = holder[slot]
  if (!started) return
  holder[slot] = undefined
  const waited = Promise.withResolvers<void>()
  const timer = setTimeout(waited.resolve, withinMs)
  await Promise.race([started.shutdown().catch(() => {}), waited.promise])
  clearTimeout(timer)
}
